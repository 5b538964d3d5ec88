#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Calls that write to memory, of the kernel and of the C library (calls.c): for each of them
# `explore` as it is by default finds that another thread may read there meanwhile, and is "ok" and
# complete where a lock keeps the two apart. Before, the call alone changes what is read, or the
# test would prove nothing. Run inside the VM, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# TIME      seconds a search may take (default 60)
# PART      "I/N": only the calls whose place in the list is I, modulo N (default 0/1)
# Usage: calls.sh [NAME...], all without names; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

# shellcheck disable=SC2154 # what the files below set
here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
# shellcheck disable=SC2034 # expect.sh reads it: seconds one chessctl may take
LIMIT=$((${TIME:=60} * 2))
PROGRAMS=$BUILD/selftests/races
PART=${PART:-0/1}
calls=$PROGRAMS/calls
. "$here/../ktap.sh"
. "$here/../json.sh"
. "$here/../expect.sh"

prepare calls
need "$calls"

names=("$@")
[ $# -gt 0 ] || mapfile -t names < <("$calls" --list)
take_part "${names[@]}"

echo "KTAP version 1"
echo "1..$((${#picked[@]} * 3))"
for name in "${picked[@]}"; do
	"$calls" --alone "$name" >"$out/said" 2>&1
	result $? "$name changes what is read"
	bad=0
	chessctl 1 explore --host --no-bpf --json --time "$TIME" --out "$out/found" -- "$calls" "$name"
	is verdict assert
	result $bad "$name is found"
	bad=0
	chessctl 0 explore --host --no-bpf --json --time "$TIME" --out "$out/mended" -- "$calls" "$name" mended
	is verdict ok
	is complete true
	result $bad "$name is ok when it is mended"
done
totals
