#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Explores interleave.c with --reduce dpor: each order of accesses that are points is run,
# those of a task that runs alone too, of which the module records none. Run inside the VM,
# as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# LIMIT     seconds a search may take (default 200)
# Usage: dpor.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
# shellcheck disable=SC2034 # said.sh reads it
LIMIT=${LIMIT:-200}
INTERLEAVE=$BUILD/selftests/races/interleave
. "$here/../ktap.sh"
# shellcheck source=selftests/said.sh
. "$here/../said.sh"

need "$CHESSCTL" "$INTERLEAVE"
own_folder dpor

# search STRATEGY BOUND ORDER
search()
{
	chess explore --host --no-bpf --strategy "$1" ${2:+--bound "$2"} --reduce dpor \
		--out "$out/t" -- "$INTERLEAVE" "$3"
}

# Of these orders the runs that look for races, which come first, show none.
orders="abababab bbbabaaa baababba"

echo "KTAP version 1"
echo "1..5"
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
totals
