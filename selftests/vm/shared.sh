#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Several suites in one VM, one after the other; started in it by scripts/check.sh, which
# boots another for those that are left when this one ends early. For each suite the module
# is loaded, and unloaded behind it. What a suite leaves behind counts as its failure, and
# ends this VM, so that the next does not begin with it: processes, settings in /proc/sys,
# mounts, IPC objects, files beside the sources, a module that cannot be unloaded, a
# complaint of the kernel. A kernel that panics is the failure of the suite then running.
#
# Usage: shared.sh DIR MODULE. DIR/list has a line for each suite: name, seconds it may take,
# command, with tabs in between. DIR/NAME.ktap and NAME.err are what it says, DIR/NAME.took
# the seconds it took, DIR/NAME.left what it left, and DIR/NAME.code is its exit code, the
# last to be written.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh
dir=$1 module=$2
near_tools
state=$(mktemp -d) || exit 1

# Those that change by themselves are left out.
settings()
{
	grep -rs . /proc/sys/kernel /proc/sys/fs /proc/sys/vm /proc/sys/net |
		grep -vE '/(random/|tainted:|pty/nr:|ns_last_pid:|[a-z-]*(-nr|-state):|sched_domain/|nf_conntrack)' |
		sort
}

surroundings()
{
	cut -d' ' -f2-4 /proc/mounts | sort
	tail -n +2 /proc/sysvipc/{msg,sem,shm} | grep -v '^$'
	ls -A /dev/shm /dev/mqueue . 2>/dev/null
	cat /sys/kernel/tracing/{tracing_on,kprobe_events,uprobe_events,set_event}
}

# Processes that are not the kernel's, ours or PID 1: their names
strangers()
{
	local pid name

	for pid in /proc/[0-9]*; do
		pid=${pid#/proc/}
		case $pid in 1|"$$"|"$BASHPID") continue ;; esac
		readlink "/proc/$pid/exe" >"$state/exe" 2>/dev/null || continue
		read -r name <"/proc/$pid/comm" && echo "$pid $name"
	done 2>/dev/null
}

# What was killed takes a while to be gone.
processes_left()
{
	local i

	for ((i = 0; i < 50; i++)); do
		strangers >"$state/strangers"
		[ -s "$state/strangers" ] || return 0
		sleep 0.1
	done
	sed 's/^/it left the process /' "$state/strangers"
}

unloaded()
{
	local i

	for ((i = 0; i < 50; i++)); do
		grep -q '^chess ' /proc/modules || return 0
		rmmod chess 2>"$state/rmmod" && return 0
		sleep 0.1
	done
	sed 's/^/it left the module: /' "$state/rmmod"
}

# The words are those of cli/vm/init.c, which looks when all is over.
complaints()
{
	dmesg | tail -n "+$((logged + 1))" |
		grep -m1 -E 'BUG: |WARNING: |Oops: |INFO: possible |INFO: trying to register |suspicious RCU usage|list_add corruption|UBSAN: ' |
		sed 's/^/the kernel complained: /'
}

changed()
{
	diff "$state/$1" - | sed -n "s/^[<>] /it changed $1: &/p" | head -n 5
}

settings >"$state/settings"
surroundings >"$state/surroundings"
while IFS=$'\t' read -r name limit command <&3; do
	echo "$name" >"$dir/started"
	logged=$(dmesg | wc -l)
	if ! insmod "$module" 2>"$dir/$name.err"; then
		echo "the module cannot be loaded" >"$dir/$name.left"
		echo 1 >"$dir/$name.code"
		exit 0
	fi
	mkdir -p "$dir/$name.d"
	start=$SECONDS
	CHESS_CHECK_OUT=$dir/$name.d setsid -w timeout -k 10 "$limit" bash -c "$command" \
		>"$dir/$name.ktap" 2>"$dir/$name.err" </dev/null 3<&-
	code=$?
	echo $((SECONDS - start)) >"$dir/$name.took"
	{
		processes_left
		unloaded
		complaints
		settings | changed settings
		surroundings | changed surroundings
	} >"$state/left"
	cp "$state/left" "$dir/$name.left"
	echo "$code" >"$dir/$name.code"
	[ ! -s "$state/left" ] || exit 0
done 3<"$dir/list"
