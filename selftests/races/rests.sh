#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Traps at accesses rest while the first task is alone (kmod/traps/rest.c): explores rests.c by
# default, whose bugs come after that, once for each kind of company. Each must be found, and
# its trace show it in every replay; what is right must be "ok" in a search that is complete.
# Run inside the VM, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# TIMES     replays of each trace (default 100)
# LIMIT     seconds a search may take (default 200)
# Usage: rests.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
# shellcheck disable=SC2034 # said.sh reads it
LIMIT=${LIMIT:-200}
RESTS=$BUILD/selftests/races/rests
TIMES=${TIMES:-100}
. "$here/../ktap.sh"
# shellcheck source=selftests/said.sh
. "$here/../said.sh"

need "$CHESSCTL" "$RESTS"
own_folder rests

missed='MISSED$'

# search WHAT: of rests
search()
{
	rm -rf "$out/t"
	chess explore --host --no-bpf --out "$out/t" -- "$RESTS" "$1"
}

# replayed: the trace of the last search
replayed()
{
	chess replay --host --times "$TIMES" "$out"/t/*.trace
	said 1 "^assert reproduced: $TIMES of $TIMES replays, records identical"
}

# recorded FROM TO: so many accesses in a single run
recorded()
{
	local n

	n=$(grep -Eo '[0-9]+ accesses recorded' "$out/said" | grep -Eo '^[0-9]+')
	[ "${n:-0}" -ge "$1" ] && [ "$n" -le "$2" ] || { echo "$n" >>"$out/said"; return 1; }
}

echo "KTAP version 1"
echo "1..9"

for what in threads processes memory timer execve; do
	search "$what"
	said 1 '^assert: ' && replayed
	result $? "$what: the lost update is found, and in $TIMES replays"
done
for what in locked itself; do
	search "$what"
	said 0 '^ok: no bug (with at most [0-9]+ preemptions|in any schedule)' "$missed"
	result $? "$what: right, and what was not recorded is named"
done

# 60,000 turns of a load and a store each. A run may be made twice, for the stacks.
chess races --host --runs 1 --strategy rr --out "$out/t" -- "$RESTS" threads
said 1 '^race on counter' "$missed" && recorded 50000 55000
result $? "accesses of a task that is alone are recorded up to a number of them"
# In an address space of its own the program begins once more: none of its accesses is left.
chess races --host --runs 1 --strategy rr --out "$out/t" -- "$RESTS" execve
said 1 '^race on counter' "$missed" && recorded 50000 55000
result $? "those of what it executes then are not"
totals
