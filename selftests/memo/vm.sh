#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A search in the VM keeps its memo on the host: each run is in it before the next one, so that
# kill -9 of chessctl loses nothing; several VMs may use one; and one that cannot be used is
# refused before a VM is started. Run on the host; no module may be loaded there.
#
# BUILD  build directory (default build)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/expect.sh
. selftests/expect.sh
suite memo
server=$PROGRAMS/server
memo=selftests/memo/memo.py
need "$server"

echo "KTAP version 1"
echo "1..4"

check() { "$memo" "$@" || bad=1; }

# search NAME OPTION...: with the memo $out/a.memo
search()
{
	local name=$1

	shift
	timeout -k 5 "$LIMIT" "$CHESSCTL" explore --vm --no-bpf --strategy maple --json \
		--memo "$out/a.memo" --out "$out/traces-$name" "$@" >"$out/$name.json" \
		2>"$out/$name.said" </dev/null
}

runs() { python3 -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM run").fetchone()[0])' "$out/a.memo"; }

# Not a time but a number of runs: it is killed in the middle of a search.
bad=0
"$CHESSCTL" explore --vm --no-bpf --strategy maple --json --memo "$out/a.memo" \
	--out "$out/traces" -- "$server" serve >"$out/said" 2>&1 </dev/null &
pid=$!
had=0
while kill -0 $pid 2>/dev/null && [ "$had" -lt 20 ]; do
	sleep 0.1
	[ -e "$out/a.memo" ] && had=$(runs)
done
kill -KILL $pid
wait $pid 2>/dev/null
echo "# killed after $had runs"
[ "$had" -ge 20 ] || same "runs of a search that goes on are in the memo" yes no
check well "$out/a.memo"
[ "$(runs)" -ge "$had" ] || same "none is lost" yes no
result $bad "a search that is killed leaves what it did in the memo"

bad=0
search one -- "$server" serve & one=$!
search two -- "$server" reload & two=$!
wait $one
same "exit code" 4 $?
wait $two
same "exit code" 4 $?
check well "$out/a.memo"
"$CHESSCTL" coverage --json "$out/a.memo" >"$out/coverage.json" 2>"$out/said" || bad=1
check coverage "$out/a.memo" "$out/coverage.json"
[ -e "$out/a.memo-wal" ] && same "nothing lies beside the memo" yes no
result $bad "two VMs use it at once"

bad=0
search again -- "$server" serve
same "tries" 0 "$(python3 -c 'import json, sys
print(sum(i["runs"] for i in json.load(open(sys.argv[1]))["memo"]["attempts"]))' "$out/again.json")"
result $bad "and the next one tries nothing again"

# The VM's kernel is not needed for that: there is none.
bad=0
head -c 5000 "$out/a.memo" >"$out/b.memo"
cp "$out/b.memo" "$out/c.memo"
CHESS_VM_DIR=/nonexistent "$CHESSCTL" explore --vm --strategy maple --memo "$out/b.memo" \
	-- "$server" serve >"$out/said" 2>&1 </dev/null
same "exit code" 2 $?
grep -q "is damaged" "$out/said" || same "it says so" yes no
cmp -s "$out/b.memo" "$out/c.memo" || same "the file stays as it is" yes no
result $bad "a memo that is damaged is refused before a VM is started"
totals
