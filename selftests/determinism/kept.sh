#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs that begin with a fork of a process whose start is over (kmod/kept.c) are those that
# begin with an execve: all programs of programs/correct and programs/wrong are run in both
# ways with the same plans, and compared. Run inside the VM, as root.
#
#	kept.sh [PROGRAM...]
#
# TIMES: runs of each, with accesses and without (default 20). BUILD (default build)

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../ktap.sh
. selftests/ktap.sh
BUILD=${BUILD:-build}
TIMES=${TIMES:-20}
dir=$(mktemp -d) || exit 1
log=$dir/log
trap 'rm -rf "$dir"' EXIT
programs=("$@")
if [ $# -eq 0 ]; then
	for source in selftests/programs/{correct,wrong}/*.c; do
		source=${source#selftests/programs/}
		programs+=("${source%.c}")
	done
fi

echo "KTAP version 1"
echo "1..$((2 * ${#programs[@]} + 4))"
forked=0
for program in "${programs[@]}"; do
	for options in "" -b; do
		# shellcheck disable=SC2086 # no word, or one
		timeout 300 "$BUILD/selftests/determinism/kept" -n "$TIMES" $options -- \
			"$BUILD/selftests/programs/$program" >"$log" 2>&1
		code=$?
		count=$(sed -n 's/^# [0-9]* runs, \([0-9]*\) of them forked.*/\1/p' "$log")
		forked=$((forked + ${count:-0}))
		result $code "$program ${options:+without accesses }$(tail -n 1 "$log")"
		[ $code -eq 0 ] || sed 's/^[^#]/# &/' "$log"
	done
done
# The number of the first process is still taken when the next run begins.
timeout 300 "$BUILD/selftests/determinism/kept" -n 5 -b -f -t -- \
	"$BUILD/selftests/determinism/kept_slow_end" >"$log" 2>&1
result $? "a last process that takes long to end: $(tail -n 1 "$log")"
"$BUILD/selftests/determinism/kept" -n 3 -s -- "$BUILD/selftests/programs/correct/semaphore_pool" \
	>"$log" 2>&1
result $? "under a filter of system calls no process is kept $(tail -n 1 "$log")"
[ "$forked" -gt 0 ]
result $? "$forked runs began with a fork"

# Forks map what the process mapped, whatever the path leads to by now; but not if it is written to.
cp "$BUILD/selftests/programs/bench/two_threads" "$dir/changed" || exit 1
: >"$log"
(until grep -q 'search: [0-9]* runs' "$log" || [ -e "$dir/over" ]; do sleep 0.1; done
 touch "$dir/changed") &
CHESS_FORK=soon timeout 120 "$BUILD/chessctl" explore --host --no-bpf --bound 9 --time 60 \
	--out "$dir/traces" -- "$dir/changed" >"$log" 2>&1
code=$?
touch "$dir/over"
wait
[ $code -eq 4 ] && grep -q 'changed was replaced or changed after its traps' "$log"
code=$?
result $code "a search notices that its program is written to"
[ $code -eq 0 ] || sed 's/^/# /' "$log"
totals
