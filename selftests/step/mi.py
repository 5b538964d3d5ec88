#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""chessctl replay --gdb with an editor in front, which speaks GDB/MI: the commands that VS Code's
cppdbg and CLion send at a stop, and steps back, which are other gdbs in the same conversation. Run
inside the VM, as root, with the module loaded; needs gdb.

mi.py CHESSCTL PROGRAMS: KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

from front import LIMIT, Front, Wrong, has, only_mi

CHESSCTL, PROGRAMS = map(os.path.abspath, sys.argv[1:3])
if not shutil.which("gdb"):
    print("1..0 # SKIP no gdb")
    sys.exit(4)


def cppdbg(trace):
    """As MIEngine sends it: one command after the other, variables through -var-create."""
    f = Front(CHESSCTL, "mi", trace, "deciding")
    f.until(r"^\(gdb\)")
    has("\n".join(f.log), r"^=thread-group-added|\n=thread-group-added", r"\*stopped")
    f.send("-gdb-set mi-async on")
    f.send("-enable-pretty-printing")
    f.send("-gdb-set disassembly-flavor intel")
    f.send("-list-features")
    has(f.send("-thread-info")[0], 'current-thread-id="1"')
    f.frame(1, "main", 33)
    f.send("-stack-list-arguments --thread 1 0 0 0")
    has(f.send("-stack-list-variables --thread 1 --frame 0 0")[0], "variables=")
    f.send("-stack-select-frame 0")
    name = re.search(r'name="(var\d+)"', f.send('-var-create - @ "balance"')[0]).group(1)
    has(f.send('-var-list-children --simple-values "%s" 0 10' % name)[0], 'numchild="2"')
    has(f.send('-var-evaluate-expression "%s"' % name)[0], "value=")
    f.send("-break-insert -f abba.c:22", "done,bkpt")
    has(f.console("chess tasks")[1], r"> T0 +token .* lock a")
    # Back, twice: each is a stop more in the same conversation, and nothing of an end.
    for event, line in ((14, 32), (15, 33)):
        before = len(f.log)
        f.console("chess back %d" % event)
        f.until(r'^~"event %d: T0 lock' % event)
        f.until(r"^\(gdb\)")
        said = "\n".join(f.log[before:])
        has(said, r"\*stopped")
        if "exited" in said or "^exit" in said:
            raise Wrong("an end was seen: " + said)
        f.frame(1, "main", line)
        has(f.send("-break-list")[0], r'original-location="[^"]*abba.c:22"')
    f.console("chess next T1")
    f.frame(2, "pay_back", 18)
    has(f.console("chess frob", "error")[0], "chess takes tasks")
    f.send("-thread-select 2")
    # The deadlock, in which the program is stopped as if by Ctrl-C
    f.send("-exec-continue", "running")
    f.until(r'^\*stopped,reason="signal-received",signal-name="SIGINT"')
    f.leave(1)
    only_mi(f)


def clion(trace):
    """Commands that name thread and frame each time, and what people type at the console."""
    f = Front(CHESSCTL, "mi2", trace, "14")
    f.until(r"^\(gdb\)")
    f.send("-gdb-set confirm off")
    f.send("-gdb-set width 0")
    f.send("-gdb-set print elements 200")
    f.console("set breakpoint pending on")
    f.send("-list-thread-groups --recurse 1")
    has(f.send("-thread-info")[0], "threads=")
    f.send("-stack-info-depth --thread 1 1000")
    f.send("-stack-list-frames --thread 1 --no-frame-filters 0 100")
    f.frame(1, "main", 32)
    has(f.send("-data-evaluate-expression --thread 1 --frame 0 balance[0]")[0], "value=")
    f.send("-break-insert --source abba.c --line 18", "done,bkpt")
    f.send('-interpreter-exec --thread 1 --frame 0 console "chess until-preempted"', "done|running")
    f.until(r'^~"event 15: T0 lock b')
    f.frame(1, "main", 33)
    f.send("-exec-continue --all", "running")
    has(f.until(r"^\*stopped,reason=\"breakpoint-hit\""), r'line="18"')
    # The deadlock, and back from it
    f.send("-exec-continue --all", "running")
    f.until(r'^\*stopped,reason="signal-received",signal-name="SIGINT"')
    f.frame(2, "pay_back", 19)
    f.send('-interpreter-exec --thread 1 --frame 0 console "chess back 14"')
    f.until(r'^~"event 14: T0 lock')
    f.until(r"^\(gdb\)")
    f.frame(1, "main", 32)
    has(f.send("-break-list")[0], r'abba.c')
    f.send("-exec-next --thread 1", "running")
    has(f.until(r'^\*stopped,reason="end-stepping-range"'), r'line="33"')
    f.console("delete")
    f.send("-exec-continue --all", "running")
    f.until(r'^\*stopped,reason="signal-received",signal-name="SIGINT"')
    f.leave(1)
    only_mi(f)


def play(name, interpreter):
    """A session as the editor has it, from NAME.mi"""
    def session(trace):
        here = os.path.dirname(os.path.abspath(__file__))
        f = Front(CHESSCTL, interpreter, trace, "deciding")
        source = "abba.c"
        with open(os.path.join(here, name + ".mi"), encoding="utf-8") as lines:
            for line in lines:
                line = line.rstrip("\n").replace("$SOURCE", source)
                if line.startswith("> "):
                    f.raw(line[2:])
                elif line.startswith("< "):
                    said = re.search(r'fullname="([^"]*)"', f.until(line[2:]))
                    source = said.group(1) if said else source
        f.p.stdin.close()
        f.p.wait(LIMIT)
        only_mi(f)
    return session


TESTS = ((cppdbg, "VS Code's cppdbg: a stop, variables, breakpoints, back, the deadlock"),
         (clion, "CLion: threads and frames by name, breakpoints, back, a step"),
         (play("cppdbg", "mi"), "a session of VS Code's cppdbg, command by command"),
         (play("clion", "mi2"), "a session of CLion, command by command"))
print("KTAP version 1\n1..%d" % len(TESTS))
failed = 0
with tempfile.TemporaryDirectory() as folder:
    # No settings of gdb; for all runs, since the environment moves the stack.
    os.environ.update({"HOME": folder, "LC_ALL": "C", "NO_COLOR": "1"})
    subprocess.run([CHESSCTL, "explore", "--host", "--no-bpf", "--out", folder, "--",
                    os.path.join(PROGRAMS, "abba")], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    traces = [os.path.join(folder, n) for n in os.listdir(folder) if n.endswith(".trace")]
    for number, (test, name) in enumerate(TESTS, 1):
        try:
            if not traces:
                raise Wrong("no trace")
            test(traces[0])
            print("ok %d %s" % (number, name), flush=True)
        except (Wrong, OSError, subprocess.TimeoutExpired) as e:
            failed += 1
            if Front.last:
                Front.last.drop()
            for line in str(e).split("\n"):
                print("# " + line)
            print("not ok %d %s" % (number, name), flush=True)
print("# Totals: pass:%d fail:%d xfail:0 xpass:0 skip:0 error:0" % (len(TESTS) - failed, failed))
sys.exit(1 if failed else 0)
