# SPDX-License-Identifier: GPL-2.0-only
#
# Results as KTAP. Used by pages.py and search.py.
import sys

number = failures = 0


def begin():
    print("KTAP version 1")


def result(good, name, why=""):
    global number, failures
    number += 1
    failures += not good
    if not good and why:
        print("# " + str(why)[:1000].replace("\n", "\n# "))
    print("%sok %d %s" % ("" if good else "not ", number, name), flush=True)


def end():
    """The plan, the totals, and the exit code."""
    print("1..%d" % number)
    print("# Totals: pass:%d fail:%d xfail:0 xpass:0 skip:0 error:0" % (number - failures, failures))
    sys.exit(failures != 0)
