#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
What a memo must say, worked out from its tables without chessctl. Prints what is wrong; exit 1 then.

well FILE                   it is undamaged, and its counts go together
nothing-twice FILE          no search tried what an earlier one had exposed, or six had not
searched FILE N JSON        what explore --json printed is what search number N has
coverage FILE JSON          what coverage --json printed
functions FILE PROGRAM      functions and lines are those of addr2line
same-names FILE OTHER PART  places in files named *PART* have the same names in both
"""
import json
import sqlite3
import subprocess
import sys

GIVE_UP = 6
faults = []


def expect(what, wanted, seen):
    if wanted != seen:
        faults.append(f"{what}: expected {wanted}, seen {seen}")


def rows(db, sql, *values):
    return db.execute(sql, values).fetchall()


def one(db, sql, *values):
    return rows(db, sql, *values)[0][0]


def well(db):
    expect("integrity", "ok", one(db, "PRAGMA integrity_check"))
    for session, in rows(db, "SELECT id FROM session"):
        numbers = [n for n, in rows(db, "SELECT number FROM run WHERE session = ? ORDER BY number",
                                    session)]
        expect(f"runs of search {session}", list(range(1, len(numbers) + 1)), numbers)
        tries = one(db, "SELECT count(*) FROM run WHERE session = ? AND idiom > 0", session)
        expect(f"attempts of search {session}", tries,
               one(db, "SELECT coalesce(sum(failed + succeeded), 0) FROM attempt WHERE session = ?",
                   session))
        exposed = [n for n, in rows(db, "SELECT exposed FROM run WHERE session = ?"
                                    " ORDER BY number", session)]
        expect(f"the curve of search {session} rises", sorted(exposed), exposed)
        fresh = one(db, "SELECT count(*) FROM iroot WHERE exposed = ?", session)
        if exposed and fresh > exposed[-1]:
            faults.append(f"search {session} exposed {exposed[-1]}, {fresh} of them new")


def nothing_twice(db):
    tried = 0
    for root, session, failed, succeeded, exposed in rows(
            db, "SELECT iroot, session, failed, succeeded, exposed FROM attempt"
            " JOIN iroot ON iroot.id = iroot"):
        tried += failed + succeeded
        if exposed is not None and exposed < session:
            faults.append(f"search {session} tried iRoot {root}, which {exposed} had exposed")
        before = one(db, "SELECT coalesce(sum(failed), 0) FROM attempt"
                     " WHERE iroot = ? AND session < ?", root, session)
        if before + failed > GIVE_UP:
            faults.append(f"iRoot {root} was tried {before + failed} times in vain")
    print(f"# {tried} attempts")
    if tried < 20:
        faults.append("too few attempts to show anything")


def searched(db, number, path):
    with open(path, encoding="utf-8") as f:
        said = json.load(f)
    memo = said["memo"]
    expect("runs", one(db, "SELECT count(*) FROM run WHERE session = ?", number), said["runs"])
    expect("new", one(db, "SELECT count(*) FROM iroot WHERE exposed = ?", number), memo["new"])
    expect("exposed", one(db, "SELECT max(exposed) FROM run WHERE session = ?", number),
           memo["exposed"])
    for idiom in memo["attempts"]:
        got = rows(db, "SELECT coalesce(sum(failed + succeeded), 0), coalesce(sum(succeeded), 0)"
                   " FROM attempt JOIN iroot ON iroot.id = iroot WHERE session = ? AND idiom = ?",
                   number, idiom["idiom"])[0]
        expect(f"attempts of idiom {idiom['idiom']}", got, (idiom["runs"], idiom["successes"]))
    expect("verdict", one(db, "SELECT verdict FROM session WHERE id = ?", number), said["verdict"])
    expect("trace", one(db, "SELECT trace FROM session WHERE id = ?", number), said["trace"])


def coverage(db, path):
    with open(path, encoding="utf-8") as f:
        said = json.load(f)
    roots = rows(db, "SELECT id, idiom, a, b, c, d, exposed FROM iroot")
    failed = dict(rows(db, "SELECT iroot, sum(failed) FROM attempt GROUP BY iroot"))
    function = {i: (path, name) for i, path, name in rows(db, "SELECT id, path, function FROM place")}
    by_function = {}
    for idiom in said["idioms"]:
        mine = [r for r in roots if r[1] == idiom["idiom"]]
        expect("known", len(mine), idiom["known"])
        expect("exposed", sum(r[6] is not None for r in mine), idiom["exposed"])
        expect("given up", sum(r[6] is None and failed.get(r[0], 0) >= GIVE_UP for r in mine),
               idiom["given_up"])
    for r in roots:
        for key in {function[p] for p in r[2:6] if p}:
            n = by_function.setdefault(key, [0, 0])
            n[0] += 1
            n[1] += r[6] is not None
    expect("functions", by_function,
           {(f["file"], f["function"] or ""): [sum(i["known"] for i in f["idioms"]),
                                               sum(i["exposed"] for i in f["idioms"])]
            for f in said["functions"]})
    expect("iRoots", len(roots), len(said["iroots"]))
    expect("runs", one(db, "SELECT count(*) FROM run"), said["runs"])
    expect("curves", one(db, "SELECT count(exposed) FROM iroot"),
           sum(s["curve"][-1]["new"] for s in said["searches"] if s["curve"]))


def functions(db, program):
    output = subprocess.run(["readelf", "-lW", program], capture_output=True, text=True, check=True)
    loads = [[int(w, 16) for w in line.split()[1:5]] for line in output.stdout.splitlines()
             if line.split()[:1] == ["LOAD"]]
    found = rows(db, "SELECT offset, function, line, op FROM place WHERE path LIKE ?",
                 "%/" + program.split("/")[-1])
    addresses = []
    for offset, _, _, op in found:
        start = [v + offset - o for o, v, _, size in loads if o <= offset < o + size][0]
        # A call is named by where it returns to.
        addresses.append(hex(start - (op not in ("load", "store", "update"))))
    output = subprocess.run(["addr2line", "-f", "-e", program] + addresses, capture_output=True,
                            text=True, check=True).stdout.split("\n")
    for i, (offset, name, line, _) in enumerate(found):
        where = output[2 * i + 1].split("/")[-1].split(" ")[0]
        expect(f"line of {offset:#x}", where, line)
        # addr2line -f names the function it is in, not one that was inlined there.
        expect(f"function of {offset:#x}", output[2 * i].split("/")[-1], name)
    if len(found) < 5:
        faults.append(f"only {len(found)} places are in {program}")


def same_names(db, other, part):
    names = [set(rows(d, "SELECT file, offset, op FROM place WHERE path LIKE ?", f"%{part}%"))
             for d in (db, sqlite3.connect(other))]
    print(f"# {len(names[0])} places in files named *{part}*")
    expect("places", names[0], names[1])
    if not names[0]:
        faults.append(f"no place is in a file named *{part}*")


def main():
    db = sqlite3.connect(sys.argv[2])
    {"well": well, "nothing-twice": nothing_twice, "searched": searched, "coverage": coverage,
     "functions": functions, "same-names": same_names}[sys.argv[1]](db, *sys.argv[3:])
    for fault in faults[:20]:
        print("#", fault)
    return bool(faults)


sys.exit(main())
