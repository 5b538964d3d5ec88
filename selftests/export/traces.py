#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes traces of runs that never were, for the exports of chessctl show: random programs of a
few tasks, processes, mutexes, conditions and variables, run by a small scheduler. Their names
are hostile: quotes, brackets, ends of lines, bytes that are no letters.

traces.py DIR COUNT SEED: writes DIR/0.trace and so on.
"""

import random
import sys

NAMES = [
    b"plain", b'q"u\'o\\te', b"a;b#c%%d", b"<b>&amp;&lt;</b>", b"new\nline\r\ttab", b"end",
    b"\x1b[2J\x9b\x00\xff".replace(b"\x00", b""), "ünï→\u2028x".encode(), b"} ]) | `x` $(y)",
    b'" ];\n}', b"T1->>T0: no", b'{"T0":9}', b"%41 ?q", b"\xed\xa0\x80\xc2\x85", b"a b  c",
]
LIMIT = 60
POINTER = 0x7F0000000000


def string(data):
    out = ""
    for c in data:
        if c in b'"\\':
            out += "\\" + chr(c)
        elif c == 10:
            out += "\\n"
        elif 0x20 <= c < 0x7F:
            out += chr(c)
        else:
            out += "\\x%02x" % c
    return '"' + out + '"'


class Run:
    """A run while it is made up."""

    def __init__(self, rng):
        self.rng = rng
        self.events, self.schedule, self.calls = [], [], []
        self.enabled, self.pending, self.ended = {0}, {}, set()
        self.owner, self.blocked, self.point = {}, {}, {}
        self.n, self.running, self.root = 1, 0, {0}
        self.taken = {}

    def event(self, kind, task, chosen=None, op="", flags=(), nr=0, obj="", arg=0, probe=False):
        flags = list(flags) + (["probe"] if probe else [])
        if kind == "point" and len(self.enabled) == 1:
            flags.append("alone")
        text = "event %d %s T%d" % (len(self.events) + 1, kind, task)
        if chosen is not None:
            text += " -> " + ("T%d" % chosen if chosen >= 0 else "-")
            self.schedule.append(chosen)
        text += " op=" + op if op else ""
        text += " flags=" + ",".join(flags) if flags else ""
        text += " nr=%d" % nr if nr else ""
        text += " object=" + obj if obj else ""
        mask = sum(1 << t for t in self.enabled)
        text += " enabled=0x%x" % mask if mask else ""
        text += " ip=0x401000 "
        text += "caller=0x402000 " if probe else ""
        text += "arg=0x%x" % arg if arg else ""
        self.events.append(text.strip())
        return len(self.events)

    def choose(self):
        return self.rng.choice(sorted(self.enabled)) if self.enabled else -1

    def wake(self, task, by):
        self.enabled.add(task)
        self.event("wake", task, obj="task:0x%x" % by)

    def block(self, task, on):
        self.enabled.discard(task)
        self.blocked[task] = on
        self.running = self.choose()
        self.event("block", task, self.running)

    def release(self, mutex, by):
        self.owner.pop(mutex, None)
        waiting = [t for t, on in self.blocked.items() if on == ("lock", mutex)]
        if waiting:
            task = self.rng.choice(waiting)
            del self.blocked[task]
            self.wake(task, by)

    def next_op(self, task):
        r = self.rng
        held = [m for m, t in self.owner.items() if t == task]
        kinds = ["lock", "lock", "store", "load", "update", "other", "yield", "end", "name",
                 "signal"]
        kinds += ["unlock"] * 3 + ["wait"] * 2 if held else []
        kinds += ["create"] * 3 + ["fork"] if self.n < 6 else []
        kinds += ["join"] * 2 if self.n > 1 else []
        kind = r.choice(kinds)
        if kind == "lock":
            free = [m for m in range(3) if m not in held]
            return (kind, r.choice(free)) if free else ("yield",)
        if kind in ("unlock", "wait"):
            return (kind, r.choice(held))
        if kind == "join":
            return (kind, r.choice([t for t in range(self.n) if t != task]))
        return (kind, r.randrange(3))

    def arrive(self, task):
        """The task comes to its next point, and somebody is chosen."""
        op = self.pending[task] = self.next_op(task)
        kind, r = op[0], self.rng
        at = dict(
            lock=dict(op="lock", flags=["write", "may_block"], nr=1, obj="address:0x%x", probe=True),
            unlock=dict(op="unlock", flags=["write", "release"], nr=4, obj="address:0x%x", probe=True),
            wait=dict(op="cond_wait", flags=["write", "release", "may_block"], nr=6, probe=True),
            signal=dict(op="cond_signal", flags=["write", "release"], nr=9, obj="address:0x7000",
                        probe=True),
            store=dict(op="store", flags=["write", "probe"], nr=1),
            load=dict(op="load", flags=["probe"], nr=2),
            update=dict(op="update", flags=["write", "probe"], nr=3),
            create=dict(op="create", flags=["write", "release"], nr=30, obj="address:0x7100",
                        probe=True),
            fork=dict(op="fork", flags=["write"], nr=57),
            other=dict(op="other", flags=["write"], nr=157),
            name=dict(op="other", flags=["write"], nr=157),
            join=dict(op="join", flags=["may_block"], nr=31, probe=True),
        ).get(kind, dict(op="yield", flags=["yield"], nr=24))
        if "%" in at.get("obj", ""):
            at["obj"] %= 0x5000 + 64 * op[1]
        if kind == "wait":
            at["obj"], at["arg"] = "address:0x7000", 0x5000 + 64 * op[1]
        if kind in ("store", "load", "update"):
            at["obj"], at["arg"] = "address:0x%x" % (0x6000 + 4 * op[1]), r.choice([3, 7, 11])
        if kind == "join":
            at["obj"] = "address:0x%x" % (POINTER + op[1])
        self.running = self.choose()
        self.point[task] = self.event("point", task, self.running, **at)
        if kind == "name":
            name = r.choice(NAMES)
            text = b'prctl(PR_SET_NAME, "' + name + b'") = 0'
            self.calls.append("call %d %s" % (self.point[task], string(text)))

    def proceed(self, task):
        """The task that was chosen does what it is at. True: it comes to its next point."""
        op = self.pending.get(task)
        kind = op[0] if op else None
        if kind == "lock" or kind == "retake":
            if op[1] in self.owner:
                self.block(task, ("lock", op[1]))
                return False
            self.owner[op[1]], self.taken[op[1]] = task, self.point[task]
        elif kind == "unlock":
            self.release(op[1], task)
        elif kind == "wait":
            self.pending[task] = ("retake", op[1])
            self.release(op[1], task)
            self.block(task, ("cond",))
            return False
        elif kind == "signal":
            waiting = [t for t, on in self.blocked.items() if on == ("cond",)]
            if waiting:
                other = self.rng.choice(waiting)
                del self.blocked[other]
                self.wake(other, task)
        elif kind in ("create", "fork") and self.n < 6:
            new, self.n = self.n, self.n + 1
            self.enabled.add(new)
            self.event("spawn", task, obj="task:0x%x" % new,
                       arg=POINTER + new if kind == "create" else self.rng.choice([0, 1]))
        elif kind == "join" and op[1] not in self.ended:
            self.block(task, ("join", op[1]))
            return False
        elif kind == "end" and task:
            self.enabled.discard(task)
            self.ended.add(task)
            self.pending.pop(task)
            for other in [t for t, on in self.blocked.items() if on == ("join", task)]:
                del self.blocked[other]
                self.wake(other, task)
            self.running = self.choose()
            self.event("exit", task, self.running, obj="code:0x0")
            return False
        self.pending.pop(task, None)
        return True

    def make(self):
        self.event("exec", 0)
        while self.running >= 0 and len(self.events) < LIMIT:
            if self.proceed(self.running):
                self.arrive(self.running)

    def waits(self):
        for task, on in sorted(self.blocked.items()):
            holders = "-"
            if on[0] == "lock" and on[1] in self.owner:
                holders = "T%d:has:%d" % (self.owner[on[1]], self.taken[on[1]])
            elif on[0] == "join":
                holders = "T%d:is:0" % on[1]
            name = self.rng.choice(NAMES)
            yield "wait T%d pid=%d seq=%d outside=no holders=%s %s" % (
                task, 100 + task, self.point[task], holders, string(b"futex of " + name))

    def lines(self):
        runs = []
        for task in self.schedule:
            name = "-" if task < 0 else "T%d" % task
            if runs and runs[-1][0] == name:
                runs[-1][1] += 1
            else:
                runs.append([name, 1])
        folder = string(b"/home/" + self.rng.choice(NAMES).replace(b"/", b""))
        name = self.rng.choice(NAMES).replace(b"/", b"")
        stuck = self.running < 0 and self.blocked
        yield "chess-trace 23"
        yield "arg " + string(b"./" + name)
        yield "arg " + string(self.rng.choice(NAMES))
        yield "cwd " + folder
        yield "program " + string(b"/home/" + name)
        yield 'program-hash "00"'
        yield 'kernel "6.12.0"'
        yield 'points "sync,syscalls"'
        yield "verdict " + ("deadlock" if stuck else "ok")
        yield "status " + ("9" if stuck else "0")
        yield "schedule " + " ".join(n if c == 1 else "%s*%d" % (n, c) for n, c in runs)
        yield from self.events
        yield from self.calls
        for task in range(self.n):
            if self.rng.random() < 0.3:
                yield "name T%d %s" % (task, string(self.rng.choice(NAMES)))
        if stuck:
            yield from self.waits()


def seal(body):
    h = 0xCBF29CE484222325
    for c in body:
        h = ((h ^ c) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return body + b"checksum %016x\n" % h


def main():
    folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for i in range(count):
        run = Run(random.Random(seed * 1000 + i))
        run.make()
        body = "".join(line + "\n" for line in run.lines()).encode()
        with open("%s/%d.trace" % (folder, i), "wb") as f:
            f.write(seal(body))


main()
