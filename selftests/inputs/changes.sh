#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What an administrator does to a program under control while it runs does not show in
# its record: its control group is frozen and thawed, its tasks are moved from processor to
# processor by cpusets and taskset, the group's processor is taken offline. Nor does
# control give a task processors it may not have. Run inside the VM, as root, with the
# module loaded and two processors.
#
# BUILD  build directory (default build)
# TIMES  replays under each change (default 10)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh
BUILD=${BUILD:-build}
TIMES=${TIMES:-10}
chessctl=$BUILD/chessctl
program=$BUILD/selftests/inputs/changes
groups=/sys/fs/cgroup
mine=$groups/chess-changes

need "$chessctl" "$program"
own_folder changes
mkdir -p $groups
mountpoint -q $groups || mount -t cgroup2 none $groups || skip_all "no control groups"
mkdir $mine && [ -e $mine/cgroup.freeze ] || skip_all "control groups do not freeze"

# replay_while CHANGE: replays in the control group, while CHANGE is called again and again;
# what it cannot do is said in $out/trouble. Replays are short: they are repeated until
# three changes were made.
replay_while()
{
	local pid status=0

	: >"$out/trouble"
	: >"$out/said"
	rounds=0
	while [ $status = 0 ] && [ $rounds -lt 3 ]; do
		(echo $BASHPID >$mine/cgroup.procs && exec "$chessctl" replay --host \
			--times "$TIMES" --run-timeout 60 --json "$out/trace") >"$out/said" 2>&1 &
		pid=$!
		while kill -0 $pid 2>/dev/null; do
			"$1" || echo "$1 failed in round $rounds" >>"$out/trouble"
			rounds=$((rounds + 1))
		done
		wait $pid
		status=$?
		grep -q "\"identical\": *$TIMES\b" "$out/said" || status=1
	done
	cat "$out/trouble" >>"$out/said"
	echo "$rounds rounds of $1, status $status" >>"$out/said"
	[ $status = 0 ] && [ ! -s "$out/trouble" ]
}

# frozen 0|1: wait until the group is, or is not
frozen()
{
	local _

	for _ in {1..200}; do
		grep -qx "frozen $1" $mine/cgroup.events && return
		# An empty group is not frozen.
		grep -qx 'populated 0' $mine/cgroup.events && return
		sleep 0.05
	done
	return 1
}

freeze()
{
	local ok

	echo 1 >$mine/cgroup.freeze
	frozen 1
	ok=$?
	echo 0 >$mine/cgroup.freeze
	sleep 0.0$((RANDOM % 9 + 1))
	return $ok
}

# flick: frozen and thawed at once, so that tasks see it at any place, or see the end only
flick()
{
	local _

	for _ in 1 2 3; do
		echo 1 >$mine/cgroup.freeze
		[ $((RANDOM % 2)) = 0 ] || sleep 0.00$((RANDOM % 9))
		echo 0 >$mine/cgroup.freeze
		sleep 0.0$((RANDOM % 5 + 1))
	done
	return 0
}

toggle()
{
	echo 0 >$cpu1/online && sleep 0.0$((RANDOM % 9 + 1)) && echo 1 >$cpu1/online &&
		sleep 0.0$((RANDOM % 9 + 1))
}

# move: the cpuset of the control group gets smaller and larger, and the tasks are bound
# to this and that by taskset
move()
{
	local pid set

	for set in 0 1 0-1; do
		echo $set >$mine/cpuset.cpus || return
		sleep 0.0$((RANDOM % 5 + 1))
	done
	for pid in $(cat $mine/cgroup.procs); do
		# It may have ended.
		taskset -acp $((RANDOM % 2)) "$pid" >/dev/null 2>&1
	done
	return 0
}

cpu1=/sys/devices/system/cpu/cpu1

echo "KTAP version 1"
echo "1..7"

"$chessctl" run --host --record "$out/trace" -- "$program" >"$out/said" 2>&1
result $? records

replay_while freeze
result $? frozen_control_group

replay_while flick
result $? frozen_and_thawed_at_once

if echo +cpuset >$groups/cgroup.subtree_control && [ -e $cpu1/online ]; then
	replay_while move
	result $? moved_by_cpusets_and_taskset
	echo 0-1 >$mine/cpuset.cpus
	replay_while toggle
	result $? processor_offline
	# Offline all the time: the group takes another.
	echo 0 >$cpu1/online
	"$chessctl" replay --host --times 2 "$out/trace" >"$out/said" 2>&1
	result $? one_processor_left
	echo 1 >$cpu1/online
	echo 0 >$mine/cpuset.cpus
	(echo $BASHPID >$mine/cgroup.procs && exec "$chessctl" run --host -- "$program" where) \
		>"$out/said" 2>&1
	[ $? = 0 ] && grep -qx 'on 0 of 0, asks for 1: Invalid argument' "$out/said"
	result $? run_within_its_cpuset
	echo 0-1 >$mine/cpuset.cpus
else
	for name in moved_by_cpusets_and_taskset processor_offline one_processor_left \
			run_within_its_cpuset; do
		result skip $name "no second processor, or no cpusets"
	done
fi

totals
