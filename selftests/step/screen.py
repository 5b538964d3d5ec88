#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""chessctl step on a whole terminal: keys are typed at a pseudo terminal, and what is on its screen
is read by pyte, which knows nothing of ncurses. Run inside the VM, as root, with the module loaded.

screen.py CHESSCTL PROGRAMS: KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.
"""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

try:
    import pyte
except ImportError:
    print("1..0 # SKIP no python3-pyte; scripts/install-deps.sh")
    sys.exit(4)

UP, DOWN, PAGE_DOWN, HOME = "\x1b[A", "\x1b[B", "\x1b[6~", "\x1b[1~"
CHESSCTL, PROGRAMS = map(os.path.abspath, sys.argv[1:3])
LIMIT = 60      # seconds until a screen is as it should be


# For all runs, since the environment moves the stack
for variable in ("NO_COLOR", "LANG"):
    os.environ.pop(variable, None)
os.environ.update({"TERM": "linux", "LC_ALL": "C.UTF-8"})


class Missing(Exception):
    pass


class Session:
    """One chessctl step. pyte is what the description of a "linux" terminal is of."""

    def __init__(self, *words, rows=24, columns=80, **env):
        self.raw = b""
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.pid, self.fd = pty.fork()
        if not self.pid:
            self.set_size(0, rows, columns)
            os.environ.update(env)
            os.execv(CHESSCTL, [CHESSCTL, "step", "--host", "--no-bpf", *words])

    @staticmethod
    def set_size(fd, rows, columns):
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, rows, columns):
        self.read(0.2)
        self.screen.resize(rows, columns)
        self.set_size(self.fd, rows, columns)

    def read(self, seconds):
        """False: there is nothing more."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            part = os.read(self.fd, 65536)
        except OSError:
            part = b""
        self.raw += part
        self.stream.feed(part)
        return part != b""

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display)

    def sees(self, *patterns, not_any=()):
        """Waits until all of them are on the screen, as regular expressions of lines."""
        end = time.monotonic() + LIMIT
        while True:
            text = self.text()
            missing = [p for p in patterns if not re.search(p, text, re.M)]
            missing += ["not " + p for p in not_any if re.search(p, text, re.M)]
            if not missing:
                return text
            if time.monotonic() > end or not self.read(0.2):
                raise Missing("%s in\n%s" % (missing, text))

    def types(self, keys):
        os.write(self.fd, keys.encode())

    def ends(self):
        """Its exit code"""
        end = time.monotonic() + LIMIT
        while self.read(0.2):
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
                raise Missing("an end")
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def same(what, wanted, got):
    if wanted != got:
        raise Missing("%s: %r, not %r" % (what, wanted, got))


ABBA = os.path.join(PROGRAMS, "abba")


def first_screen():
    s = Session("--", ABBA)
    text = s.sees(r"^ abba  event 14 of \d+  by default from here on: ok, 0 preemptions",
                  r"T0 is about to lock a", r"^  > T0   lock a +main\(\) at abba.c:32",
                  r"^    T1   start", r"history .*abba.c ", r">   32 .*pthread_mutex_lock\(&a\)",
                  r"^ \? keys  q quit  Enter run  n next  u undo .* what if  d delta")
    same("lines", 24, len(text.split("\n")))
    s.types("q")
    same("exit code", 0, s.ends())
    # The cursor, which is hidden on the screen, is there again.
    same("cursor", True, s.raw.rfind(b"\x1b[?25h") > s.raw.rfind(b"\x1b[?25l") >= 0)


def by_keys():
    with tempfile.TemporaryDirectory() as folder:
        s = Session("--out", folder, "--", ABBA)
        s.sees("event 14 of")
        s.types("n")
        s.sees("event 15 of", r"^  > T0   lock b", r">   33 .*lock\(&b\)", r"14 T0 +lock a")
        # Another task, another line of the source.
        s.types(DOWN + "t")
        s.sees(r"T1: deadlock", "event 15 of .*: ok, 0")
        s.types("\r")
        s.sees("event 16 of .*: deadlock, 1 preemption$", r"^  > T1   lock b +pay_back",
               r"15 T0 +>lock b", r">   18 .*lock\(&b\)")
        s.types("u")
        s.sees("event 15 of .*: ok, 0", r"^  > T0   lock b")
        s.types(DOWN + "\r")
        s.sees("event 16 of .*: deadlock, 1")
        s.types("E")
        s.sees("the end of the run", r"T0   lock b .*blocked; T1 has it")
        s.types("w")
        s.sees(r"T0 has it since|T1 has it since")
        s.types(":save by-keys.trace\r")
        s.sees("saved: .*by-keys.trace")
        s.types("q")
        same("exit code", 1, s.ends())
        p = subprocess.run([CHESSCTL, "replay", "--host", "--times", "10",
                            os.path.join(folder, "by-keys.trace")], stdout=subprocess.PIPE)
        same("exit code of replay", 1, p.returncode)
        if b"10 of 10 replays, records identical" not in p.stdout:
            raise Missing("10 replays: %s" % p.stdout)


def delta():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([CHESSCTL, "explore", "--host", "--no-bpf", "--out", folder, "--", ABBA],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        s = Session("--out", folder, os.path.join(folder, os.listdir(folder)[0]))
        s.sees("event 14 of .*: deadlock, 1")
        s.types("d")
        s.sees("answer", "the run ends with deadlock because of this choice", "event 16 of")
        # The answer on the whole screen, and back
        s.types("\t\t")
        s.sees("the critical pair: in this order", "in the other order it ends with ok",
               not_any=["history"])
        s.types("\x1b")
        s.sees("history")
        s.types("q")
        same("exit code", 1, s.ends())


def typed():
    s = Session("--", ABBA)
    s.sees("event 14 of")
    s.types("oB\x7fb")
    s.sees("^:until object b$")
    s.types("\r")
    s.sees("event 15 of")
    s.types(":frobnicate")
    s.sees("^:frobnicate$")
    s.types("\x1b")
    s.sees("keys  q quit")
    s.types(":frobnicate\r")
    s.sees("chessctl: 'frobnicate' is not a command", "event 15 of")
    s.types(":" + "x" * 150 + "é中")
    s.sees("^:x+é中")
    s.types("\x15back\r")
    s.sees("event 14 of")
    s.types("u")
    s.sees("event 15 of")
    # A key that is none says nothing and does nothing.
    s.types("Z%\x1b[24~k")
    s.sees("event 15 of", "T0 +lock b +main")
    s.types("?")
    s.sees("answer .Escape: back.", "Up, Down +select a task")
    s.types("q")
    s.sees("history")
    s.types("q")
    same("exit code", 0, s.ends())


def report():
    s = Session("--", ABBA, columns=100)
    s.sees("event 14 of")
    s.types("n" + DOWN + "\rr")
    s.sees("^deadlock: ", "a schedule that shows it, with 1 preemption")
    s.types(PAGE_DOWN * 3)
    s.sees("T1 +lock a", not_any=["^deadlock: "])
    s.types(HOME)
    s.sees("^deadlock: ")
    s.types("qq")
    same("exit code", 1, s.ends())


def sizes():
    s = Session("--", ABBA)
    s.sees("event 14 of", "history")
    for rows, columns in ((20, 60), (9, 30), (12, 24), (50, 200), (24, 80)):
        s.resize(rows, columns)
        s.sees("abba  event 14 ", "> T0   lock a")
        if rows >= 12:
            s.sees("history")
    s.resize(5, 20)
    s.sees("this window is too", not_any=["event 14"])
    s.types("n")
    s.resize(24, 80)
    s.sees("event 15 of", "history .*abba.c ", "keys  q quit")
    # As large as it is: the last column and the last row are used.
    s.resize(30, 90)
    s.sees("─" * 10 + "$", "keys  q quit")
    s.types("q")
    same("exit code", 0, s.ends())


def colours():
    coloured = re.compile(rb"\x1b\[[0-9;]*[34][0-7][0-9;]*m")
    for env, wanted in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "vt100"}, False)):
        s = Session("--", ABBA, **env)
        s.sees("event 14 of", "^  > T0   lock a", ">   32 ")
        s.types("n:T1\r")
        s.sees("event 16 of .*: deadlock, 1")
        s.types("q")
        same("exit code with %s" % env, 1, s.ends())
        same("colours with %s" % env, wanted, bool(coloured.search(s.raw)))


def wide():
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "死锁é")
        shutil.copy(ABBA, name)
        for locale, shown in (("C.UTF-8", "^ 死 锁 é  event 14 of|^ 死锁é  event 14 of"),
                              ("C", r"^ \?+  event 14 of")):
            s = Session("--", name, LC_ALL=locale)
            s.sees(shown, "^  > T0   lock a")
            s.types("n")
            s.sees("event 15 of")
            s.types("q")
            same("exit code", 0, s.ends())


def prompts():
    for words, env in ((["--plain"], {}), ([], {"TERM": "dumb"}), ([], {"TERM": "no-such"})):
        s = Session(*words, "--", ABBA, **env)
        s.sees("^event 14: T0 is about to lock a", "^step>")
        s.types("next\r")
        s.sees("^event 15")
        s.types("quit\r")
        same("exit code with %s %s" % (words, env), 0, s.ends())


def interrupted():
    s = Session("--", ABBA)
    s.sees("event 14 of")
    s.types("\x03")
    same("exit code", 4, s.ends())
    if b"interrupted" not in s.raw:
        raise Missing("why it ended")
    # Nobody is there any more.
    s = Session("--", ABBA)
    s.sees("event 14 of")
    os.close(s.fd)
    end = time.monotonic() + LIMIT
    while os.waitpid(s.pid, os.WNOHANG) == (0, 0):
        if time.monotonic() > end:
            os.kill(s.pid, signal.SIGKILL)
            raise Missing("an end after a hang-up")
        time.sleep(0.1)


TESTS = (
    (first_screen, "tasks, history, source and keys on 80x24"),
    (by_keys, "a deadlock by keys: next, what if, run, undo, why, save; and it replays"),
    (delta, "delta of a failing trace, and its answer on the whole screen"),
    (typed, "commands that are typed, and keys that are none"),
    (report, "the whole report, scrolled"),
    (sizes, "the window changes its size"),
    (colours, "colours only where there are any and they are wanted"),
    (wide, "letters of two columns, and those that the locale does not have"),
    (prompts, "the prompt: --plain, and terminals that cannot do it"),
    (interrupted, "Ctrl-C, and a hang-up"),
)

print("KTAP version 1\n1..%d" % len(TESTS))
failed = 0
for number, (test, name) in enumerate(TESTS, 1):
    try:
        test()
        print("ok %d %s" % (number, name), flush=True)
    except (Missing, OSError) as e:
        failed += 1
        for line in str(e).split("\n"):
            print("# " + line)
        print("not ok %d %s" % (number, name), flush=True)
print("# Totals: pass:%d fail:%d xfail:0 xpass:0 skip:0 error:0" % (len(TESTS) - failed, failed))
sys.exit(1 if failed else 0)
