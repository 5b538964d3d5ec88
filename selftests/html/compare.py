#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Compares a page of "show --html" with "show --format json" of the same trace, which is read
# here anew, by other code: events, tasks, preemptions, waits, locks, source lines, and that the
# page consists of its template and nothing that came from the program.
#
#   compare.py PAGE JSON TEMPLATE [unreal]
#
# unreal: the trace was written by hand, and its locks would not let tasks continue as they do.
# Prints a line for each difference; exit 1 if there is any.
import base64
import hashlib
import json
import os
import sys

from page import Page

differences = 0


def differ(*words):
    global differences
    differences += 1
    if differences <= 20:
        print(*words)


def same(what, page, expected):
    if page != expected:
        differ("%s: the page has %.200r, expected %.200r" % (what, page, expected))


def check_shell(page, template):
    """Only elements of the template, nothing fetched, and a policy that allows just this."""
    with open(template, encoding="utf-8") as f:
        count = f.read().count
    same("scripts", sum(tag == "script" for tag, _ in page.tags), 2)
    for tag in {tag for tag, _ in page.tags}:
        same("elements <%s>" % tag, sum(t == tag for t, _ in page.tags),
             count("<%s>" % tag) + count("<%s " % tag) + count("<%s\n" % tag))
    for tag, attributes in page.tags:
        for name in attributes:
            if name.startswith("on") or name in ("src", "href", "srcset", "style", "action"):
                differ("<%s> has the attribute %s" % (tag, name))
    policy = dict(part.strip().split(" ", 1) for part in page.policy.split(";"))
    same("default-src", policy.get("default-src"), "'none'")
    for kind in ("script", "style"):
        digest = base64.b64encode(hashlib.sha256(page.texts[kind].encode()).digest()).decode()
        same("%s-src" % kind, policy.get(kind + "-src"), "'sha256-%s'" % digest)
    for bad in "<>&":
        if bad in page.texts["data"]:
            differ("the data have the character", bad)


def event_of(page, i):
    """Event i as the JSON form would have it."""
    data, columns = page.data, page.data["columns"]
    task = columns["chosen"][i]
    return {
        "type": data["types"][columns["type"][i]], "task": columns["task"][i],
        "chosen": None if task < 0 else task,
        "what": data["strings"][columns["what"][i]],
        "where": data["strings"][data["places"][columns["where"][i]][0]] or None,
        "kinds": {name for bit, name in enumerate(data["kinds"]) if columns["bits"][i] >> bit & 1},
        "enabled": int(data["strings"][columns["enabled"][i]] or "0", 16),
    }


def what_of(event):
    if event["type"] != "point":
        return event.get("object") or ""
    if event.get("text"):
        return event["text"]
    # What an op is called is the business of other tests; what it is about is not.
    return None


def check_events(page, events):
    columns = page.data["columns"]
    for name, column in columns.items():
        same("length of the column " + name, len(column), len(events))
    for i, event in enumerate(events):
        if differences > 20:
            return
        seen, number = event_of(page, i), "event %d" % event["seq"]
        same("number", event["seq"], i + 1)
        for key in ("type", "task"):
            same("%s, %s" % (number, key), seen[key], event[key])
        if "chosen" in event:
            same(number + ", chosen", seen["chosen"], event["chosen"])
            same(number + ", enabled", seen["enabled"], event["enabled"])
        same(number + ", where", seen["where"], event["where"])
        expected = what_of(event)
        if expected is not None:
            same(number + ", what", seen["what"], expected)
        elif not seen["what"].endswith(event.get("object") or ""):
            differ(number, "is about", event.get("object"), "and has", seen["what"])
        for key in ("preemption", "write", "release", "yield", "alone", "early"):
            same("%s, %s" % (number, key), key in seen["kinds"], bool(event.get(key)))


def check_decisive(page, expected):
    """Every preemption of the report is marked, and no other event."""
    bit = 1 << page.data["kinds"].index("preemption")
    marked = [i + 1 for i, bits in enumerate(page.data["columns"]["bits"]) if bits & bit]
    reported = [p["seq"] for p in expected["preemption_points"]]
    same("preemptions", marked, reported)
    same("the first preemptions in full", page.data["report"]["preemption_points"],
         expected["preemption_points"][:32])


def check_report(page, expected):
    left_out = {"events", "maps", "schedule", "preemption_points", "livelock"}
    for key, value in expected.items():
        if key not in left_out:
            same(key, page.data["report"].get(key), value)
    livelock = expected["livelock"]
    if livelock:
        livelock = dict(livelock, steps=livelock["steps"][:20])
    same("livelock", page.data["report"]["livelock"], livelock)


def check_tasks(page, expected):
    same("number of tasks", len(page.data["tasks"]), expected["tasks"])
    for event in expected["events"]:
        if event["type"] == "spawn":
            child = page.data["tasks"][int(event["object"][1:])]
            same("who made " + event["object"], (child.get("maker"), child.get("made")),
                 (event["task"], event["seq"]))


def check_locks(page, expected):
    """Nobody has what another one has; who has it at the end is who the waits name."""
    locks = page.data["locks"]
    rows = list(zip(locks["object"], locks["process"], locks["task"], locks["from"], locks["to"],
                    locks["shared"]))
    events, by_lock = expected["events"], {}
    for lock, process, task, begin, end, shared in rows:
        by_lock.setdefault((lock, process), []).append((begin, end or len(events) + 1, task, shared))
        if end and end < begin:
            differ("a lock is given back in event", end, "and taken in event", begin)
        # It was taken where its task continues.
        same("who continues in event %d, in which a lock is taken" % begin,
             events[begin - 1].get("chosen"), task)
    for held in by_lock.values():
        held.sort()
        for (_, end, first, shared), (begin, _, second, also) in zip(held, held[1:]):
            if begin < end and not (shared and also):
                differ("T%d has a lock that T%d has, from event %d on" % (second, first, begin))
    mutexes = ("lock", "wrlock")
    for wait in expected["waits"]:
        for holder in wait["holders"]:
            if holder["how"] != "has" or not holder["seq"]:
                continue
            taken = events[holder["seq"] - 1]
            if taken["type"] != "point" or taken["op"] not in mutexes:
                continue
            if not any(task == holder["task"] and not end and begin >= holder["seq"]
                       for _, _, task, begin, end, _ in rows):
                differ("T%d has a lock since event %d, and no bar says so" %
                       (holder["task"], holder["seq"]))


def check_sources(page):
    """What is shown of a file is what is in it; every place with a readable file has its line."""
    for number, (_, file, line) in enumerate(page.data["places"]):
        pieces = page.data["files"][file]["pieces"] if file >= 0 else []
        if pieces and not any(first <= line < first + len(lines) for first, lines in pieces):
            differ("place", number, "is in line", line, "which is not shown")
    for file in page.data["files"]:
        for first, lines in file["pieces"]:
            if not os.path.exists(file["path"]):
                continue
            with open(file["path"], encoding="utf-8", errors="replace") as f:
                text = f.read().split("\n")
            same("lines of " + file["path"], lines, text[first - 1:first - 1 + len(lines)])


def main():
    page = Page(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as f:
        expected = json.load(f)
    check_shell(page, sys.argv[3])
    check_events(page, expected["events"])
    check_decisive(page, expected)
    check_report(page, expected)
    check_tasks(page, expected)
    if "unreal" not in sys.argv[4:]:
        check_locks(page, expected)
    check_sources(page)
    print("%d events, %d places, %d locks, %d differences" % (len(expected["events"]),
          len(page.data["places"]), len(page.data["locks"]["object"]), differences))
    sys.exit(differences != 0)


main()
