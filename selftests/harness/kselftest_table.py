#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
What kselftest_inside.sh left, judged: rows "BAD|NAME|RESULT|WHY" of cases on stdout for one
bound, or, with --table, the table of docs/harness.md. kselftest.sh calls.

Usage: kselftest_table.py (0|1|--table) LIST OUT
"""
import json
import os
import sys


def programs(names, out, bound):
    """(name, its object or None) of each program of the list."""
    for number, name in enumerate(names, 1):
        try:
            with open(os.path.join(out, "%s-%d.json" % (bound, number))) as answer:
                yield name, json.load(answer)["programs"][0]
        except (OSError, ValueError, LookupError):
            yield name, None


def cases(program):
    return program["cases"] or [program]


def is_bad(case):
    """A result that it does not have alone. A limit that was reached says nothing."""
    if case.get("error") == "interrupted":
        return False
    alone = (case.get("alone") or {}).get("failed")
    return case["result"] == "error" or (case["result"] == "fail" and not alone)


def rows(names, out, bound):
    for name, program in programs(names, out, bound):
        if not program:
            print("1|%s|nothing|the program gave no answer" % name)
            continue
        for case in cases(program):
            full = name + ("." + case["name"] if program["cases"] else "")
            why = (case.get("why") or "").replace("\n", " ").replace("|", "/")
            result = "skip" if case.get("error") == "interrupted" else case["result"]
            print("%d|%s|%s|%s" % (is_bad(case), full, result, why))


def cell(program):
    """How many cases of a program ended how, in words."""
    if not program:
        return "no answer"
    counts = {}
    for case in cases(program):
        alone = (case.get("alone") or {}).get("failed")
        word = case["result"]
        if case.get("error") == "interrupted":
            word = "not reached"
        elif word == "fail" and alone:
            word = "fail, as alone"
        elif word == "fail":
            word = "FAIL"
        counts[word] = counts.get(word, 0) + 1
    return ", ".join("%d %s" % (n, word) for word, n in sorted(counts.items()))


def table(names, out):
    print("| program | cases | most points | runs | bound 0 | bound 1 |")
    print("|---|---|---|---|---|---|")
    one = dict(programs(names, out, 1))
    for name, zero in programs(names, out, 0):
        both = [case for p in (zero, one[name]) if p for case in cases(p)]
        found = [case.get("search") or {} for case in both]
        points = max([s.get("points", 0) or 0 for s in found], default=0)
        runs = sum(s.get("runs", 0) or 0 for s in found)
        print("| %s | %d | %d | %d | %s | %s |" % (
            name.replace(":", ": "), len(cases(zero)) if zero else 0, points, runs, cell(zero),
            cell(one[name])))


def main():
    with open(sys.argv[2]) as names:
        names = names.read().split()
    if sys.argv[1] == "--table":
        table(names, sys.argv[3])
    else:
        rows(names, sys.argv[3], sys.argv[1])


main()
