# SPDX-License-Identifier: GPL-2.0-only
"""The happens-before order of the steps of a run, from the text of a trace alone and by plain
reachability: the second opinion on the clocks of show --format shiviz. docs/exports.md says what
comes before what."""

import re

FIELD = re.compile(r"(\w+)=(\S+)")


class Event:
    def __init__(self, line):
        words = line.split()
        self.seq, self.type, self.task = int(words[1]), words[2], int(words[3][1:])
        self.decides, self.chosen = "->" in words, None
        if self.decides and words[5].startswith("T"):
            self.chosen = int(words[5][1:])
        f = dict(FIELD.findall(line))
        self.op = f.get("op", "")
        self.flags = f.get("flags", "").split(",")
        kind, _, number = f.get("object", "none:0x0").partition(":")
        self.object = None if kind == "none" else (kind, int(number, 16))
        self.arg = int(f.get("arg", "0"), 16)


TURNS = ("point", "block", "exit", "resume", "quantum", "stall")
TRIES = ("lock", "rdlock", "wrlock", "sem_wait", "join", "wait_child")


def events_of(path):
    with open(path, "rb") as f:
        text = f.read().decode("latin-1")
    return [Event(line) for line in text.split("\n") if line.startswith("event ")]


def is_process(spawn, events):
    if spawn.op:
        return spawn.op == "fork"
    if spawn.arg:
        return spawn.arg <= 2
    by = [e for e in events[: spawn.seq - 1] if e.task == spawn.task and e.type == "point"][-1:]
    made_thread = by and by[0].op == "create" and "probe" in by[0].flags and by[0].object
    return bool(by) and (by[0].op == "fork" or (by[0].op == "create" and not made_thread))


class Step:
    def __init__(self, number, task, turn):
        self.number, self.task, self.turn = number, task, turn
        self.before = set()     # numbers of steps that come directly before it
        self.point, self.again, self.waits = None, False, False


def uses(point, waits, retakes):
    """Pairs of an object and whether it is written, that the step touches."""
    if point is None:
        return []
    if waits and (point.op in TRIES or retakes):
        return [(point.object, False)] if point.object else []
    write = "write" in point.flags
    if point.op in ("load", "store", "update"):
        first, last = point.object[1] // 8, (point.object[1] + point.arg) // 8
        return [(("address", 8 * word), write) for word in range(first, last + 1)]
    if not point.object:
        return [("unknown", True)] if point.op == "other" else []
    out = [(point.object, write)]
    if point.op == "cond_wait" and point.arg:
        out.append((("address", point.arg), True))
    return out


def steps_of(events):
    """All steps in their order, each with those directly before it."""
    steps, last, pending, known = [], {}, {}, {}
    held, ended, pointer, process = {}, {}, {}, set()
    turns = [e for e in events if e.type in TURNS]

    def take(task, turn):
        s = Step(len(steps), task, turn)
        if task in last:
            s.before.add(last[task].number)
        s.before |= known.pop(task, set())
        point, again, retakes = pending.get(task, (None, False, False))
        s.point, s.again = point, again
        after = [e for e in turns if e.seq > turn][:1]
        s.waits = bool(after) and after[0].type == "block" and after[0].task == task
        touched = uses(point, s.waits, retakes) if turn else []
        if turn and task not in last:
            touched = [(("task", task), False)]
        for obj, write in touched:
            s.before |= {n for n, w in held.get(obj, []) if w or write}
        for obj, write in touched:
            held.setdefault(obj, []).append((s.number, write))
        if point and not s.waits:
            if point.op == "join":
                t = point.object[1] if point.object and point.object[0] == "task" else None
                if point.object and point.object[0] == "address":
                    t = max((t for t, p in pointer.items() if p == point.object[1]), default=None)
                s.before |= ended.get(t, set())
            if point.op == "wait_child":
                for t in process:
                    s.before |= ended.get(t, set())
            pending.pop(task)
        elif point:
            pending[task] = (point, True, s.waits and point.op == "cond_wait")
        s.before.discard(s.number)
        last[task] = s
        steps.append(s)

    take(events[0].task, 0)
    for e in events:
        if e.type == "point":
            pending[e.task] = (e, False, False)
        elif e.type == "spawn":
            new = e.object[1]
            known.setdefault(new, set()).add(last[e.task].number)
            held.setdefault(e.object, []).append((last[e.task].number, True))
            if e.arg > 2:
                pointer[new] = e.arg
            if is_process(e, events):
                process.add(new)
        elif e.type == "wake" and e.object and e.object[0] == "task" and e.object[1] in last:
            if e.object[1] != e.task:
                known.setdefault(e.task, set()).add(last[e.object[1]].number)
        if e.type in ("exit", "killed") and e.task in last:
            ended[e.task] = {last[e.task].number}
        if e.type in TURNS and e.chosen is not None:
            take(e.chosen, e.seq)
    return steps


def clocks_of(steps):
    """By step, by task: how many of its steps come before, or are, this one."""
    below, out = [], []
    for s in steps:
        mine = {s.number}
        for n in s.before:
            mine |= below[n]
        below.append(mine)
        clock = {}
        for n in mine:
            clock[steps[n].task] = clock.get(steps[n].task, 0) + 1
        out.append(clock)
    return out
