#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# chessctl replay --gdb --at, and the gdb command "chess": the program is stopped at the decision
# that was asked for, with the task selected that comes to it; what is said of the tasks is what
# the trace has. Run inside the VM, as root, with the module loaded; needs gdb.
#
# BUILD  build directory (default build)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C NO_COLOR=1
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
chessctl=$BUILD/chessctl
need "$chessctl" "$BUILD/selftests/programs/wrong/abba"
type gdb >/dev/null 2>&1 || skip_all "no gdb; apt-get install gdb"
own_folder step-gdb
# No settings of gdb; for all runs, since the environment moves the stack.
export HOME=$out
near "$BUILD/selftests/programs/wrong/"{abba,lost_signal,one_condvar,fork_mutex,lost_update}

# gdb TRACE AT COMMAND...: a replay that is stopped there, then gdb gets the commands
gdb()
{
	local trace=$1 at=$2 c

	shift 2
	for c in "$@" "set confirm off" quit; do echo "$c"; done |
		timeout 120 "$chessctl" replay --host --gdb --at "$at" "$trace" >"$out/said" 2>&1
}

# has PATTERN...: lines that gdb said, in this order
has()
{
	local pattern from=1 at

	for pattern; do
		at=$(tail -n +$from "$out/said" | grep -nE -m 1 -- "$pattern") ||
			{ echo "# no '$pattern'"; return 1; }
		from=$((from + ${at%%:*} - 1))
	done
}

echo "KTAP version 1"
echo "1..17"
for name in abba lost_signal one_condvar fork_mutex lost_update; do
	"$chessctl" explore --host --no-bpf --out "$out/$name" \
		-- "$BUILD/selftests/programs/wrong/$name" >"$out/said" 2>&1
	[ $? = 1 ]
	result $? "a trace of $name"
done
abba=$(echo "$out"/abba/*.trace)

gdb "$abba" deciding "info threads" "frame function main" "chess tasks"
has '^event 15: T0 lock b in main\(\) at abba.c:33, then T1$' '\* 1 +Thread' \
	'main \(.*\) at .*abba.c:33' '> T0 +token .* lock a'
result $? "the decision that mattered, the preempted task selected"

gdb "$abba" 14 "chess next" "chess next T1" "chess where" "chess tasks" "bt 1" "chess next" \
	"chess until-preempted"
has '^event 14: T0 lock a' 'event 15: T0 lock b' 'event 16: T1 lock b in pay_back' \
	'event 16: T1 lock b' 'T1 +token' 'pay_back \(.*abba.c:18' 'event 17: T1 lock a' \
	'no task is preempted in the rest'
result $? "from decision to decision"

gdb "$abba" 14 "chess until-preempted" "chess at 17" "bt 1"
has 'event 15: T0 lock b' 'event 17: T1 lock a' 'pay_back \(.*abba.c:19'
result $? "to the next preemption, and to an event"

gdb "$(echo "$out"/one_condvar/*.trace)" 20 "chess why T2" "chess why T1" "chess tasks"
has ': T1 lock lock' 'T2 +cond_wait changed +get\(\) .* blocked' 'T1 does not wait' \
	'T2 +blocked .* cond_wait changed'
result $? "what a blocked task waits for"

# A point that is a system call
gdb "$(echo "$out"/lost_signal/*.trace)" deciding bt "chess tasks"
has ': T0 pause' 'main \(.*lost_signal.c:37' '> T0 +token .* load ready'
result $? "a decision at a system call"

gdb "$abba" 16 "chess at 14" "chess at 99" "chess why T9" "chess frob" "chess" "chess next T7" \
	"chess where"
has 'the run is past this event' 'no point at or after' 'no such task' 'chess takes tasks' \
	'chess takes tasks' 'no such decision' 'event 16: T1 lock b'
result $? "what cannot be done is refused in a sentence"

# SIGINT where the trace ends, and SIGABRT of assert(), to the thread that was stopped by the
# hardware breakpoint, which gdb takes for a late hit of it if nothing is done about that.
gdb "$abba" deciding continue "chess where"
has 'event 15: T0 lock b' 'it is stopped for gdb' 'Thread 1 .* received signal SIGINT' 'the end of'
result $? "on from the decision to where the trace ends"

gdb "$abba" 15 "break abba.c:18" continue continue "thread apply all bt"
has 'event 15: T0 lock b' 'hit Breakpoint .*abba.c:18' 'received signal SIGINT' \
	'pay_back \(.*abba.c:19' 'main \(.*abba.c:33' 'followed the trace to its end'
result $? "on from a breakpoint to where the trace ends"

gdb "$(echo "$out"/lost_update/*.trace)" deciding continue bt
has 'event [0-9]+: T0 ' 'received signal SIGABRT' 'main \(.*lost_update.c:' \
	'followed the trace'
result $? "the signal that a failed assertion raises"

# left TRACE AT COMMAND...: gdb is left at a decision; that is not where the run goes another way
left()
{
	gdb "$@"
	[ $? = 0 ] && has '^event [0-9]+:' 'followed the trace as far as it went, decision' &&
		! grep -q diverged "$out/said"
}

bad=0
for name in abba fork_mutex lost_signal; do
	for how in "info threads" kill detach; do
		left "$(echo "$out/$name"/*.trace)" deciding "$how" || bad=1
	done
done
result $bad "gdb is quit at the decision, or ends the program there, or lets go of it"

# gdb has read what else is in the pipe when it ends, so the second one only quits.
gdb "$abba" 17 "chess back 15"
[ "$(grep -c '^event 17: T1 lock a' "$out/said")" = 1 ] && has '^event 17:' '^event 15: T0 lock b'
result $? "back to an earlier event, in a new replay"

bad=0
for at in 0 99 x deciding; do
	trace=$abba
	if [ $at = deciding ]; then
		trace=$out/fine.trace
		"$chessctl" run --host --record "$trace" -- "$BUILD/selftests/programs/wrong/abba"
	fi
	timeout 60 "$chessctl" replay --host --gdb --at $at "$trace" </dev/null >"$out/said" 2>&1
	[ $? = 2 ] && [ "$(wc -l <"$out/said")" = 1 ] && grep -q "replay: " "$out/said" || bad=1
done
timeout 60 "$chessctl" replay --host --at 14 "$abba" </dev/null >"$out/said" 2>&1
[ $? = 2 ] && grep -q 'goes with --gdb only' "$out/said" || bad=1
result $bad "events that are not there"
totals
