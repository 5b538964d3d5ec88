#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write docs/hunt.md from the results of the hunt and from selftests/hunt/notes.md.

Usage: ledger.py STATE DOCUMENT; called by hunt.sh. Rows of programs that have no result in STATE
stay as they are in DOCUMENT. A driver's line "# finding:" says what a search of it has found and
what became of that.
"""

import json
import os
import re
import sys

BEGIN, END = "<!-- rows -->", "<!-- end of rows -->"
COLUMNS = ("program", "version", "tasks", "points a run", "budget", "runs", "runs/s", "strategy",
           "classes", "result", "what limited it")
HEAD = "| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|\n"


def text(*path):
    try:
        with open(os.path.join(*path), errors="replace") as f:
            return f.read().strip()
    except OSError:
        return ""


def head_of(driver, key):
    found = re.search(r"^# %s: (.*)$" % key, driver, re.M)
    return found.group(1) if found else ""


def search(state, name, which):
    """What one search said: its object, or None, and its exit code."""
    try:
        return json.loads(text(state, name, which + ".json")), text(state, name, which + ".code")
    except ValueError:
        return None, text(state, name, which + ".code")


def limit(found, state, name):
    """In words, what kept the search from more."""
    run = text(state, name, "run.code")
    if text(state, name, "alone.code") != "0":
        return "the driver fails without control"
    if found is None:
        if run == "0":
            return "the search did not end in its time"
        how = "did not end" if run in ("124", "137") else "ended with exit code " + run
        return "one run under control " + how
    reasons = []
    if found["diverged"]:
        reasons.append("%d branches diverged" % found["diverged"])
    if not found["complete"] and found["verdict"] == "incomplete":
        reasons.append("time" if not found["why"] else found["why"])
    return "; ".join(reasons) or "nothing"


def row(state, name, which, driver):
    found, code = search(state, name, which)
    package, version = (text(state, name, "key").split() + ["?", "?"])[:2]
    label = name + ("" if which == "explore" else " " + head_of(driver, "options"))
    cells = [label, "%s %s" % (package, version)]
    budget = text(state, name, "budget") + " s"
    if found:
        ok = found["verdict"] == "ok"
        result = found["verdict"]
        if ok and found["complete"]:
            result = "ok, bound %s" % found["bound"]
        finding = head_of(driver, "finding")
        if result not in ("incomplete", "diverged") and not ok and finding:
            result += ": " + finding
        cells += [found["tasks"], found["points"], budget, found["runs"],
                  "%.1f" % found["runs_per_second"], found["strategy"],
                  found["certificate"]["classes"], result]
    else:
        cells += [head_of(driver, "threads"), "?", budget, 0, 0, "", "", "no result"]
    cells.append(limit(found, state, name))
    cells = [str(c).replace("|", "/").replace("\n", " ") for c in cells]
    return label, "| " + " | ".join(cells) + " |"


def main():
    state, document = sys.argv[1:]
    here = os.path.dirname(os.path.abspath(__file__))
    names = sorted(f[:-3] for f in os.listdir(os.path.join(here, "drivers")) if f.endswith(".sh"))
    drivers = {name: text(here, "drivers", name + ".sh") for name in names}
    old = text(document).partition(BEGIN)[2].partition(END)[0]
    rows = {line.split("|")[1].strip(): line for line in old.strip().splitlines()[2:] if "| " in line}
    rows = {label: line for label, line in rows.items() if label and label.split()[0] in drivers}
    for name in names:
        if not text(state, name, "key"):
            continue
        for which in ("explore", "options"):
            if which == "explore" or text(state, name, "options.code"):
                label, line = row(state, name, which, drivers[name])
                rows[label] = line
    cells = [[c.strip() for c in line.split("|")] for line in rows.values()]
    runs = [int(c[6]) for c in cells]
    done = [c for c in cells if int(c[6]) >= 1000 or c[10].startswith("ok, ")]
    other = ("ok", "incomplete", "diverged", "no result")
    bugs = [c for c in cells if not c[10].startswith(other)]
    programs = {label.split()[0] for label in rows}
    notes = text(here, "notes.md")
    before, _, after = notes.partition("<!-- the ledger -->")
    with open(document + ".new", "w") as f:
        f.write(before)
        f.write("%d searches of %d programs with %d runs in all. " % (len(rows), len(programs), sum(runs)))
        f.write("%d searches were complete or made 1,000 runs,\n%d found something. " % (
            len(done), len(bugs)))
        f.write("The last column says what ended the others.\n\n")
        f.write(BEGIN + "\n" + HEAD + "\n".join(rows[k] for k in sorted(rows)) + "\n" + END + "\n")
        f.write(after.rstrip() + "\n")
    os.rename(document + ".new", document)


main()
