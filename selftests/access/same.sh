#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs of one prefix have the same accesses among the same events: of five programs, without
# points, with points where two tasks were, and with those of the C library, while both
# processors of the VM are busy. Run inside the VM, as root.
#
# RUNS   of each (default 20), BUILD (default build)

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../ktap.sh
. selftests/ktap.sh
BUILD=${BUILD:-build}
RUNS=${RUNS:-20}
log=$(mktemp) || exit 1
busy=()
for _ in 1 2; do
	while :; do :; done &
	busy+=($!)
done
trap 'kill "${busy[@]}"; rm -f "$log"' EXIT

programs="wrong/lost_update wrong/double_checked correct/bounded_buffer correct/once correct/c11_threads"
echo "KTAP version 1"
echo "1..15"
for program in $programs; do
	for options in "" "-p -s 3" "-p -s 4 -c PROGRAM -c libc.so.6"; do
		# shellcheck disable=SC2086 # a list of words
		timeout 300 "$BUILD/selftests/access/repeat" -n "$RUNS" $options -- \
			"$BUILD/selftests/programs/$program" >"$log" 2>&1
		ktap_output=$log result $? "${program##*/} ${options:-without points}"
	done
done
totals
