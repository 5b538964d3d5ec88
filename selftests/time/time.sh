#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Programs that wait for hours and days under "chessctl run": each ends within LIMIT
# seconds of the machine's time, having seen as much time pass as it asked for
# (waits.c, which is run without control as well where that is short). Then one that holds all
# clocks and timers against each other (clocks.c): they agree, and show the same in each run.
# Times in memory that is not there are the group's as well (absent.c), and so is the time stamp
# counter (tsc.c).
# Run inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build)
# LIMIT  seconds for each (default 2); TIMES runs of each (default 3), RUNS of clocks (20)
# KTAP on stdout, with the times measured; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
LIMIT=${LIMIT:-2}
TIMES=${TIMES:-3}
RUNS=${RUNS:-20}
waits=$BUILD/selftests/time/waits
clocks=$BUILD/selftests/time/clocks
absent=$BUILD/selftests/time/absent
tsc=$BUILD/selftests/time/tsc
chessctl=$BUILD/chessctl

if [ ! -x "$chessctl" ] || [ ! -x "$waits" ] || [ ! -x "$clocks" ] ||
	[ ! -x "$absent" ] || [ ! -x "$tsc" ]; then
	skip_all "no $waits; run make tests"
fi
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT

ktap_output=$out/got

# The clock of the shell is the machine's: it is not under control.
now() { echo "${EPOCHREALTIME/./}"; }

# ends NAME COMMAND...: TIMES times, all of them well; the fastest counts, since a busy
# host makes any of them slow and none fast
ends()
{
	local name=$1 best=999999999 start took i code=0 all=

	shift
	for ((i = 0; i < TIMES; i++)); do
		start=$(now)
		"$chessctl" run --host -- "$@" >"$out/got" 2>&1 || code=1
		took=$(($(now) - start))
		all="$all $((took / 1000))"
		[ $took -ge $best ] || best=$took
	done
	echo "# $name: $(tail -n 1 "$out/got");$all ms"
	[ $code = 0 ] && [ $best -lt $((LIMIT * 1000000)) ]
	result $? "$name"
}

echo "KTAP version 1"
echo "1..21"
# The program is right about time where nobody touches it.
"$waits" epoll 1 >"$out/got" && "$waits" timerfd 1 >>"$out/got" && "$waits" worker 1 >>"$out/got"
result $? without_control
ends nothing_at_all true
ends sleep_an_hour sleep 3600
# shellcheck disable=SC2016 # for the shell under control
ends sleep_an_hour_by_the_clock_of_others \
	sh -c 'a=$(date +%s); sleep 3600; took=$(($(date +%s) - a)); echo $took s
		[ $took -ge 3600 ] && [ $took -le 3610 ]'
ends condition_with_a_deadline_a_day_away "$waits" condition
ends signal_half_a_day_before_the_deadline "$waits" signal
ends epoll_with_1000_timeouts_of_a_second "$waits" epoll 1000
ends epoll_with_1000_ticks_of_a_timerfd "$waits" timerfd 1000
ends worker_with_300_ticks "$waits" worker 300
ends loop_of_yields_with_5_ticks "$waits" yield 5
ends loop_of_polls_that_another_task_ends "$waits" poll

# 16 waits of 1,000 s each, of a task that is alone: each ends with a decision.
"$absent" 1000000 >"$out/got"
result $? times_that_are_not_in_memory_without_control
ends times_that_are_not_in_memory "$absent" 1000000000000
"$chessctl" run --host --record "$out/absent" -- "$absent" 1000000000000 >"$out/got" 2>&1 &&
	[ "$(tail -n 1 "$out/got")" = 16 ] &&
	"$chessctl" show --format json "$out/absent" >"$out/got" &&
	[ "$(grep -cE '"type": *"(timeout|timer)"' "$out/got")" = 16 ]
result $? times_that_are_not_in_memory_are_decisions

# On a machine that others use, processor time and wall clock are not the same.
"$clocks" >"$out/got"
result $? clocks_without_control
"$chessctl" run --host -- "$clocks" >"$out/first" 2>"$out/got"
code=$?
grep -v "^ok" "$out/first" >>"$out/got"
result $code clocks_agree
code=0
for ((i = 1; i < RUNS; i++)); do
	"$chessctl" run --host -- "$clocks" >"$out/next" 2>>"$out/got" || code=1
	diff "$out/first" "$out/next" >>"$out/got" || code=1
done
result $code "clocks_are_the_same_in_${RUNS}_runs"

"$tsc" 1 >"$out/got"
result $? time_stamp_counter_without_control
ends time_stamp_counter_passes_with_the_clock "$tsc" 3600
code=0
"$chessctl" run --host -- "$tsc" 3600 >"$out/first" 2>"$out/got" || code=1
for ((i = 1; i < RUNS; i++)); do
	"$chessctl" run --host -- "$tsc" 3600 >"$out/next" 2>>"$out/got" || code=1
	diff "$out/first" "$out/next" >>"$out/got" || code=1
done
result $code "time_stamp_counter_is_the_same_in_${RUNS}_runs"
"$chessctl" run --host --real-time -- "$tsc" 1 >"$out/first" 2>"$out/got" &&
	"$chessctl" run --host --real-time -- "$tsc" 1 >"$out/next" 2>"$out/got" &&
	! cmp "$out/first" "$out/next" >>"$out/got"
result $? time_stamp_counter_in_real_time_is_the_processors

totals
