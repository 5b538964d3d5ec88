#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The exports of traces against what show --format json says of them, and the clocks against
order.py. Nothing here is shared with chessctl.

check.py CHESSCTL FORMAT TRACE...: exit 0 each export is as it should be, 1 not (a line for each
fault), 2 nothing was compared.
"""

import json
import os
import re
import subprocess
import sys
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import order  # noqa: E402

TURNS = order.TURNS
faults = []
compared = 0


def expect(what, got, wanted):
    global compared
    compared += 1
    if got != wanted:
        faults.append("%s: %s is %.300r, expected %.300r" % (where, what, got, wanted))


def show(path, form, *more):
    p = subprocess.run([chessctl, "show", "--format", form, *more, path], capture_output=True)
    expect("exit code of " + form, (p.returncode, p.stderr), (0, b""))
    return p.stdout.decode("utf-8")     # raises where it is not


def steps(js):
    """(task, from, to) of each, in order."""
    turns = [e for e in js["events"] if e["type"] in TURNS]
    after = [e["seq"] for e in turns[1:]] + [len(js["events"]) + 1]
    yield js["events"][0]["task"], 0, turns[0]["seq"] if turns else after[0]
    for e, end in zip(turns, after):
        if e["chosen"] is not None:
            yield e["chosen"], e["seq"], end


def preempted(js):
    """Preemptions before an operation, or in a quantum; the others are about times."""
    return [p for p in js["preemption_points"] if p["type"] in ("point", "quantum", "stall")]


def plain(text):
    """A name of the JSON as the formats of text have it."""
    return "".join(" " if c < " " or c in "\u2028\u2029" else c for c in text)


def alike(got, name):
    """Bytes that are no letters are U+FFFD in JSON, control characters too, and \\xNN in text."""
    bad = r"(?:\\x[0-9a-f]{2})+"
    parts = [re.escape(p) for p in re.split("[\ufffd\x7f-\x9f]+", plain(name))]
    return re.fullmatch(bad.join(parts), got, re.S) is not None


def tail(path):
    return os.path.basename(path.rstrip("/")) or path


# --- perfetto

def check_perfetto(path, js):
    data = json.loads(show(path, "perfetto"))
    events = data["traceEvents"]
    slices, length = {}, len(js["events"]) + 1
    for e in events:
        expect("what an event has", {"ph", "name", "pid", "tid", "ts"} <= set(e), True)
        if e["ph"] == "X":
            slices.setdefault(e["tid"], []).append(e)
    for tid, list_ in slices.items():
        list_.sort(key=lambda e: (e["ts"], -e["dur"]))
        for a, b in zip(list_, list_[1:]):
            expect("slices of T%d at %d" % (tid - 1, b["ts"]), a["ts"] + a["dur"] <= b["ts"], True)
        for a in list_:
            expect("a slice's length", a["dur"] > 0 and a["ts"] + a["dur"] <= length, True)
    got = [(e["tid"] - 1, e["ts"], e["ts"] + e["dur"]) for e in events
           if e["ph"] == "X" and e["cat"] == "step"]
    expect("the steps", got, list(steps(js)))
    for e in events:
        if e["ph"] != "X" or not e["args"]["point"]:
            continue
        point = js["events"][e["args"]["point"] - 1]
        expect("op and object", [e["args"]["op"], e["args"]["object"]],
               [point["op"], point.get("object")])
        if e["args"]["file"]:
            expect("the place", "%s() at %s:%d" % (e["args"]["function"], tail(e["args"]["file"]),
                                                   e["args"]["line"]), point["where"])
    check_flows(events, slices, js)
    ends = {(t, to) for t, _, to in steps(js)}
    blocked = {(e["tid"] - 1, e["ts"]) for e in events if e.get("cat") == "blocked"}
    expect("where tasks block", blocked,
           {(e["task"], e["seq"]) for e in js["events"]
            if e["type"] == "block" and e["chosen"] != e["task"] and (e["task"], e["seq"]) in ends})
    expect("the counter", [(e["ts"], e["args"]["tasks"]) for e in events if e["ph"] == "C"],
           [(e["seq"], bin(e["enabled"]).count("1")) for e in js["events"] if e["type"] in TURNS])
    expect("preemptions", sorted(e["ts"] for e in events if e["name"] == "preemption"),
           [e["seq"] for e in js["events"] if e.get("preemption")])
    pid = {}
    for e in order.events_of(path):
        if e.type == "spawn":
            own = pid.get(e.task, 0)
            pid[e.object[1]] = e.object[1] if order.is_process(e, order.events_of(path)) else own
    expect("processes", {(e["tid"] - 1, e["pid"] - 1) for e in events},
           {(t, pid.get(t, 0)) for t in range(js["tasks"])})
    expect("names of processes", all(
        e["args"]["name"] == "%s (T%d)" % (tail(js["path"]), e["tid"] - 1)
        for e in events if e["name"] == "process_name"), True)
    expect("what the time is", data["otherData"]["time"],
           "event numbers of the trace, shown as microseconds")


def check_flows(events, slices, js):
    ends = {}
    for e in events:
        if e["ph"] in "sf":
            ends.setdefault(e["id"], []).append(e)
            expect("a flow's slice", any(s["ts"] <= e["ts"] < s["ts"] + s["dur"]
                                         for s in slices[e["tid"]] if s["cat"] == "step"), True)
    got = set()
    for pair in ends.values():
        expect("ends of a flow", sorted(e["ph"] for e in pair), ["f", "s"])
        start, end = sorted(pair, key=lambda e: e["ph"], reverse=True)
        expect("order of a flow", start["ts"] <= end["ts"], True)
        got.add((start["tid"] - 1, start["ts"], end["tid"] - 1, end["ts"]))
    want, running = set(), list(steps(js))
    for e in js["events"]:
        if e["type"] not in ("wake", "spawn") or not str(e.get("object")).startswith("T"):
            continue
        other = int(e["object"][1:])
        by, to = (other, e["task"]) if e["type"] == "wake" else (e["task"], other)
        first = [s for s in running if s[0] == to and s[1] >= e["seq"]][:1]
        later = [x for x in js["events"] if first and e["seq"] < x["seq"] <= first[0][1]
                 and x["type"] == "wake" and x["task"] == to]
        if first and not later and by != to and any(
                s[0] == by and s[1] < e["seq"] < s[2] for s in running):
            want.add((by, e["seq"], to, first[0][1]))
    expect("flows", got, want)


# --- shiviz

def check_shiviz(path, js):
    lines = show(path, "shiviz").split("\n")
    expect("the delimiter", lines[1], "")
    # As ShiViz applies it: all matches, "^" and "$" at lines, groups by name.
    pattern = re.compile(lines[0].replace("(?<", "(?P<"), re.M)
    text = "\n".join(lines[2:])
    found = list(pattern.finditer(text))
    expect("lines in no match", pattern.sub("", text).strip(), "")
    want = order.steps_of(order.events_of(path))
    clocks = order.clocks_of(want)
    expect("the number of steps", len(found), len(want))
    seen = {}
    for m, step, clock in zip(found, want, clocks):
        got = {int(t[1:]): n for t, n in json.loads(m["clock"]).items()}
        host = int(m["host"][1:])
        expect("who", host, step.task)
        expect("clock of step %d" % step.number, got, clock)
        expect("its own entry", got[host], seen.get(host, {}).get(host, 0) + 1)
        expect("clocks that go back", all(got.get(t, 0) >= n for t, n in
                                          seen.get(host, {}).items()), True)
        expect("what waits", m["event"].split("  ")[0].endswith(", has to wait"), step.waits)
        seen[host] = got


# --- sarif

def check_sarif(path, js):
    data = json.loads(show(path, "sarif"))
    expect("the version", data["version"], "2.1.0")
    (run,) = data["runs"]
    (r,) = run["results"]
    rules = run["tool"]["driver"]["rules"]
    expect("rule", (r["ruleId"], rules[r["ruleIndex"]]["id"]), (js["verdict"], js["verdict"]))
    expect("level", (r["kind"], r["level"]),
           {"ok": ("pass", "none")}.get(js["verdict"], ("fail", "error")))
    expect("replay", r["properties"]["replay"].startswith("chessctl replay "), True)
    expect("replay in the message", r["properties"]["replay"] in r["message"]["text"], True)
    for list_ in (r["locations"], r["relatedLocations"]):
        once = {json.dumps(x, sort_keys=True) for x in list_}
        expect("locations that are there twice", len(list_) - len(once), 0)
    locations = r["locations"] + r["relatedLocations"]
    numbers = []
    for flow in r["codeFlows"]:
        for thread in flow["threadFlows"]:
            mine = [x["executionOrder"] for x in thread["locations"]]
            expect("order in a thread", mine, sorted(mine))
            numbers += mine
            locations += [x["location"] for x in thread["locations"]]
            expect("whose steps", all(x["location"]["message"]["text"].startswith(
                thread["id"] + " ") for x in thread["locations"]), True)
    expect("order of steps", sorted(numbers), list(range(1, len(numbers) + 1)))
    essential = [x for f in r["codeFlows"] for t in f["threadFlows"] for x in t["locations"]
                 if x["importance"] == "essential"]
    if js["preemptions"] < 5:
        expect("preemptions", len(essential), len(preempted(js)))
    for loc in locations:
        at = loc["physicalLocation"]["artifactLocation"]
        expect("a URI", re.fullmatch(r"(file:///)?([A-Za-z0-9/._~-]|%[0-9A-F]{2})+", at["uri"])
               is not None, True)
        if "uriBaseId" in at:
            expect("its base", at["uriBaseId"] in run["originalUriBaseIds"], True)
    if js["races"]:
        expect("both sides", [(x["physicalLocation"].get("region", {}).get("startLine"))
                              for x in r["locations"][:2]],
               [js["races"][0][side]["line"] for side in ("first", "second")])
    if js["waits"]:
        got = [x["message"]["text"].split()[0] for x in r["locations"]
               if " waits in " in x["message"]["text"]]
        expect("who waits", got, ["T%d" % w["task"] for w in js["waits"]])
    program = urllib.parse.unquote(run["originalUriBaseIds"].get("RUN_FOLDER", {}).get("uri", ""))
    if js["cwd"] and js["cwd"].startswith("/") and "\ufffd" not in js["cwd"]:
        expect("the folder", program.rstrip("/"), ("file://" + js["cwd"]).rstrip("/"))


# --- dot

STRING = r'"((?:[^"\\\n]|\\["\\])*)"'
NODE = re.compile(r'\t(\w+) \[(.*)label=' + STRING + r'(.*)\];')
EDGE = re.compile(r'\t(\w+) -> (\w+) \[label=' + STRING + r'(.*)\];')


def unquote(text):
    return re.sub(r"\\(.)", r"\1", text).replace("&amp;", "&")


def check_dot(path, js):
    lines = show(path, "dot").rstrip("\n").split("\n")
    expect("its first line", lines[0], "digraph waits {")
    expect("its last line", lines[-1], "}")
    title = re.fullmatch(r"\tlabel=" + STRING + ";", lines[1])
    expect("the title", alike(unquote(title[1]), "%s: %s" % (tail(js["path"]), js["verdict"])),
           True)
    nodes, edges = {}, []
    for line in lines[4:-1]:
        e, n = EDGE.fullmatch(line), NODE.fullmatch(line)
        expect("a line", bool(e or n), True)
        if e:
            edges.append((e[1], e[2], unquote(e[3]), "red" in e[4]))
        elif n:
            expect("a node named twice", n[1] in nodes, False)
            nodes[n[1]] = (unquote(n[3]), "red" in n[4])
    waits = {(a, b) for a, b, label, _ in edges if label == "waits for"}
    expect("who waits", sorted(a for a, _ in waits), sorted("T%d" % w["task"] for w in js["waits"]))
    of = dict(waits)
    for w in js["waits"]:
        mine = [e for e in edges if e[0] == of["T%d" % w["task"]]]
        expect("holders", {(h["task"], h["how"]) for h in w["holders"]} <=
               {(int(e[1][1:]), e[2]) for e in mine}, True)
        expect("the task", w["op"] in nodes["T%d" % w["task"]][0], True)
    red = {int(n[1:]) for n, (_, r) in nodes.items() if r and n.startswith("T")}
    expect("the cycle", red, set(js["cycle"]))
    expect("edges of the cycle", sum(e[3] for e in edges), 2 * len(js["cycle"]))
    expect("edges to nowhere", {n for e in edges for n in e[:2]} <= set(nodes), True)


# --- mermaid

def check_mermaid(path, js):
    lines = show(path, "mermaid").rstrip("\n").split("\n")
    text = r"((?:[\w .,:()/+=*\[\]-]|[^\x00-\x7f]|#\d+;)+)"
    decoded = lambda s: re.sub(r"#(\d+);", lambda m: chr(int(m[1])), s)
    expect("its first line", lines[0], "sequenceDiagram")
    expect("its length", len(lines) < 100, True)
    title = re.fullmatch("    title " + text, lines[1])
    whole = "%s: %s" % (tail(js["path"]), js["verdict"])
    expect("the title", len(whole) > 80 or alike(decoded(title[1]), whole), True)
    declared, shown = set(), []
    for line in lines[2:]:
        m = (re.fullmatch(r"    participant T(\d+) as " + text, line) or
             re.fullmatch(r"    Note over T(\d+): " + text, line) or
             re.fullmatch(r"    T(\d+)(?:->>|--x)T\d+: " + text, line))
        expect("line %r" % line[:60], bool(m), True)
        if not m:
            continue
        if line.startswith("    participant"):
            declared.add(int(m[1]))
        expect("whether T%s is declared" % m[1], int(m[1]) in declared, True)
        shown += [decoded(m[2])]
    waits = [w for w in js["waits"]][:8]
    arrows = [re.match(r"    T(\d+)--xT(\d+)", line) for line in lines]
    expect("arrows of waits", [(int(m[1]), int(m[2])) for m in arrows if m],
           [(w["task"], w["holders"][0]["task"]) for w in waits if w["holders"]])
    expect("preemptions", sum("preempted before" in s for s in shown) > 0,
           bool(preempted(js)))


# --- collapsed

def check_collapsed(path, js):
    out = show(path, "collapsed")
    total = 0
    for line in out.rstrip("\n").split("\n") if out else []:
        m = re.fullmatch(r"((?:[^;\n]+;)*[^;\n]+) (\d+)", line)
        expect("line %r" % line[:60], bool(m), True)
        if m:
            total += int(m[2])
            expect("the program", alike(m[1].split(";")[0], tail(js["path"]).replace(";", ":")),
                   True)
    if js["dead_task"] is None:
        end = json.loads(show(path, "json", "--at", str(len(js["events"]))))
        expect("tasks", total, sum(t["state"] not in ("absent", "ended") for t in end["tasks"]))


chessctl, form = sys.argv[1], sys.argv[2]
for name in sys.argv[3:]:
    where = "%s of %s" % (form, os.path.basename(name))
    try:
        globals()["check_" + form](name, json.loads(show(name, "json")))
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as fault:
        faults.append("%s: %s: %s" % (where, type(fault).__name__, fault))
print("\n".join(faults[:20]))
sys.exit(1 if faults else 0 if compared else 2)
