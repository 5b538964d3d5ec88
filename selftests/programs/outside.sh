#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Bugs that were published or reported elsewhere, outside/NAME.c: each is found by default
# within 60 seconds, which tells in how many runs, and its trace replays. Its mended twin is
# ok and complete within 60 seconds. Run inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build)
# TIMES  replays of each trace (default 3)
# KNOWN  where set, what the head of a program says is missed as yet ("missed: why") is
#        skipped; otherwise it fails
# PART   "I/N": only the programs whose place in the list is I, modulo N
# TABLE  where set, nothing is tested: a row of docs/testing.md is printed for each program,
#        with the runs and seconds until it is found by default, and with --points sync,races
# Usage: outside.sh [NAME...], all without arguments; KTAP on stdout; exit 0 passed,
# 1 failed, 4 skipped.

# shellcheck disable=SC2154 # what the files below set
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
BUILD=$(realpath "${BUILD:-build}")
CHESSCTL=$BUILD/chessctl
SOURCES=selftests/programs/outside
PROGRAMS=$BUILD/$SOURCES
TIMES=${TIMES:-3}
PART=${PART:-0/1}
. selftests/ktap.sh
. selftests/json.sh
. selftests/expect.sh
. selftests/programs/twins.sh

prepare outside
pick "$@"

# cost NAME OPTION...: "runs | seconds" until it is found go to $cost, or what came instead
cost()
{
	local name=$1 runs

	shift
	search 1 $FIND "$PROGRAMS/$name" "$@" >/dev/null
	look runs
	runs=$value
	look seconds
	cost=$(printf '%d | %.1f' "${runs:-0}" "${value:-0}")
	look verdict
	[ "$value" = "${expected[verdict]}" ] || cost="not found | ${value:-in $FIND s}"
	rm -rf "$out/traces"
}

row()
{
	local row

	row="| \`$1\` | $(sed -n 's/^ \* source: //p' "$SOURCES/$1.c") | ${expected[verdict]}"
	cost "$1"
	row+=" | $cost"
	cost "$1" --points sync,races
	echo "$row | $cost |"
}

if [ -n "${TABLE:-}" ]; then
	for name in "${picked[@]}"; do
		expect "$SOURCES/$name.c"
		row "$name"
	done
	exit 0
fi

echo "KTAP version 1"
echo "1..$((${#picked[@]} * 3))"
for name in "${picked[@]}"; do
	expect "$SOURCES/$name.c"
	found_runs=
	found "$name"
	[ -z "$found_runs" ] || echo "# $name: $found_runs runs"
	mended "$name" 60
	rm -rf "$out/traces"
done
totals
