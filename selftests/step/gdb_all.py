#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""chessctl replay --gdb at the deciding switch of programs of programs/wrong: the stack of the task
that is preempted is where the trace says it is, and so is every other thread's there; back to event
3 and forward; on to the preemption; and the run that gdb watched is the one of the trace. Run inside
the VM, as root, with the module loaded; needs gdb.

gdb_all.py BUILD [NAME...]: KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from front import Front, Wrong, has

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(HERE, "..", "programs", "wrong")
BUILD = os.path.abspath(sys.argv[1])
CHESSCTL = os.path.join(BUILD, "chessctl")
if not shutil.which("gdb"):
    print("1..0 # SKIP no gdb")
    sys.exit(4)


def find(name, folder):
    """A trace of it, as explore writes it, and what show says of that"""
    with open(os.path.join(SOURCES, name + ".c"), encoding="utf-8") as f:
        head = f.read().split("*/")[0]
    options = re.search(r"^ \* options: (.*)$", head, re.M)
    words = options.group(1).split() if options else []
    if re.search(r"expect:.*verdict=livelock", head):
        words += ["--max-points", "10000"]      # else it is as long as may be
    subprocess.run([CHESSCTL, "explore", "--host", "--no-bpf", "--bound", "2", "--out", folder, *words,
                    "--", os.path.join(BUILD, "selftests", "programs", "wrong", name)],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)
    traces = [n for n in os.listdir(folder) if n.startswith(name + "-") and n.endswith(".trace")]
    if not traces:
        raise Wrong("no trace")
    trace = os.path.join(folder, traces[0])
    shown = subprocess.run([CHESSCTL, "show", "--format", "json", trace], stdout=subprocess.PIPE)
    return trace, json.loads(shown.stdout)


def stop(f, said, name):
    """The number of the event where it stands; the selected thread's stack has the place."""
    found = re.search(r"^event (\d+): T\d+ .*?(?: in (\S+)\(\) at (\S+):(\d+))?(?:,.*)?$", said, re.M)
    if not found:
        raise Wrong("no event in %s" % said)
    if found.group(3) == name + ".c":
        frames = f.send("-stack-list-frames 0 100")[0]
        # Of the program's own code; what lies below it is without sources.
        has(frames, r'file="[^"]*%s"[^}]*line="%s"' %
            (re.escape(found.group(3)), found.group(4)))
    return int(found.group(1))


def stacks(f):
    """Of each thread gdb knows where it is."""
    threads = re.findall(r'\{id="(\d+)"', f.send("-thread-info")[0])
    if not threads:
        raise Wrong("no thread")
    for thread in threads:
        has(f.send("-stack-list-frames --thread %s 0 100" % thread)[0], r"frame=\{level=\"0\"")
    return len(threads)


def follow(trace, js, name):
    at = [p["seq"] for p in js["preemption_points"]]
    # Where nothing is preempted, late in it: point number N is not before event N.
    f = Front(CHESSCTL, "mi3", trace, "deciding" if at else str(js["points"]))
    f.until(r"^\(gdb\)")
    deciding = stop(f, "\n".join(line[2:-3] for line in f.log if line.startswith('~"event ')), name)
    if at and deciding < at[-1]:
        raise Wrong("it stands at %d, the last preemption is at %d" % (deciding, at[-1]))
    stacks(f)
    before = len(f.log)
    f.console("chess back 3")
    f.until(r'^~"event \d+:')
    f.until(r"^\(gdb\)")
    back = stop(f, "\n".join(line[2:-3] for line in f.log[before:] if line.startswith('~"event ')), name)
    if not 3 <= back <= deciding:
        raise Wrong("chess back 3 stands at %d" % back)
    stacks(f)
    if back < deciding:
        forward = stop(f, f.console("chess next")[1], name)
        if not back < forward <= deciding:
            raise Wrong("chess next stands at %d after %d" % (forward, back))
        points = [p["seq"] for p in js["preemption_points"]
                  if p["type"] == "point" and p["seq"] > forward]
        if points:
            preempted = stop(f, f.console("chess until-preempted")[1], name)
            if preempted != points[0]:
                raise Wrong("until-preempted stands at %d, not %d" % (preempted, points[0]))
            stacks(f)
    # To its end, or to where the trace ends
    f.send("-exec-continue", "running")
    stopped = f.until(r"^\*stopped")
    left = f.leave(None)
    has(left, "the run under gdb followed the trace")
    if "it is stopped for gdb" in left and 'signal-name="SIGINT"' not in stopped:
        raise Wrong("at the end of the trace it was not stopped: " + stopped)
    return deciding


names = sys.argv[2:] or sorted(n[:-2] for n in os.listdir(SOURCES) if n.endswith(".c"))
print("KTAP version 1\n1..%d" % len(names))
failed = 0
with tempfile.TemporaryDirectory() as folder:
    # No settings of gdb; for all runs, since the environment moves the stack.
    os.environ.update({"HOME": folder, "LC_ALL": "C", "NO_COLOR": "1"})
    for number, name in enumerate(names, 1):
        try:
            at = follow(*find(name, folder), name)
            print("ok %d %s, at event %d" % (number, name, at), flush=True)
        except (Wrong, OSError, subprocess.TimeoutExpired) as e:
            failed += 1
            if Front.last:
                Front.last.drop()
            for line in str(e).split("\n"):
                print("# " + line)
            print("not ok %d %s" % (number, name), flush=True)
print("# Totals: pass:%d fail:%d xfail:0 xpass:0 skip:0 error:0" % (len(names) - failed, failed))
sys.exit(1 if failed else 0)
