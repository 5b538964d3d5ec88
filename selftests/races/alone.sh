#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What a task accesses while it alone can go on is in no record, also where accesses are points.
# The reductions must allow for that: dpor finds each order of interleave.c, and the default
# goes on with reductions in completed.c. Run inside the VM, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# LIMIT     seconds a search may take (default 200)
# Usage: alone.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
# shellcheck disable=SC2034 # said.sh reads it
LIMIT=${LIMIT:-200}
INTERLEAVE=$BUILD/selftests/races/interleave
COMPLETED=$BUILD/selftests/races/completed
. "$here/../ktap.sh"
# shellcheck source=selftests/said.sh
. "$here/../said.sh"

need "$CHESSCTL" "$INTERLEAVE" "$COMPLETED"
own_folder alone

# search STRATEGY BOUND ORDER
search()
{
	chess explore --host --no-bpf --strategy "$1" ${2:+--bound "$2"} --reduce dpor \
		--out "$out/t" -- "$INTERLEAVE" "$3"
}

# Of these orders the runs that look for races, which come first, show none.
orders="abababab bbbabaaa baababba"

echo "KTAP version 1"
echo "1..6"
for order in $orders; do
	search dfs '' "$order"
	said 1 '^assert: '
	result $? "dfs finds the order $order"
done
# Of b after three tickets, and of a after one.
search icb 2 bbbabaaa
said 1 '^assert: '
result $? "icb finds the order bbbabaaa, which takes two preemptions"
search dfs '' never
said 0 '^ok: no bug in any schedule'
result $? "dfs ends where there is nothing to find"
# In the same state as in another run, a thread has passed fewer points if it was alone.
chess explore --host --no-bpf --out "$out/t" -- "$COMPLETED"
said 0 '^ok: no bug with at most 2 preemptions' 'reduce hb'
result $? "the default keeps its reductions"
totals
