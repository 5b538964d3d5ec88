#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What a search leaves out, or does in one way of several, stands where it says "ok": a correct
# program, covered.c, for each cause. Run inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/ktap.sh
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
chessctl=$BUILD/chessctl
program=$BUILD/selftests/covered/covered

need "$chessctl" "$program"
own_folder covered

# search CODE WAY [OPTION...]: sets bad
search()
{
	local code=$1 way=$2

	shift 2
	bad=0
	"$chessctl" explore --host --no-bpf --bound 1 --out "$out/traces" "$@" -- \
		"$program" "$way" >"$out/said" 2>"$out/err" </dev/null
	[ $? = "$code" ] || bad=1
}

# says NAME PATTERN: in what the search printed
says()
{
	grep -q -- "$2" "$out/said" || bad=1
	result $bad "$1"
}

# not_said NAME PATTERN
not_said()
{
	grep -q -- "$2" "$out/said" && bad=1
	result $bad "$1"
}

echo "KTAP version 1"
echo "1..16"

search 0 count
not_said "all kinds of points are examined by default" '^ok: .*not examined'
says "the order of waking is that of Linux" 'waiters woken in the order they came, never spuriously'
says "stores are seen at once" 'stores seen at once, quantum 500 ms'
search 0 count --points sync
says "only sync functions are points" \
	'^ok: .*; system calls and accesses to memory were not examined$'
search 0 count --points syscalls
says "only system calls are points" \
	'^ok: .*; sync functions and accesses to memory were not examined$'
search 0 count --points sync,syscalls
says "accesses are no points" '^ok: .*; accesses to memory were not examined$'
search 0 many
says "accesses are recorded in some runs" \
	'^ok: .*; accesses were recorded in [0-9]* of [0-9]* runs$'
search 0 limit
says "a time limit does not pass early" \
	'^ok: .*; time limits of processes and for children did not pass early$'
search 0 limit --no-early
says "no deadline passes early" 'timers and deadlines: only when no other task could run'
search 0 child --watchdogs never --bound 0
says "a time limit for a child never passes" \
	'^ok: .*; time limits for children never passed, others not early$'
search 4 compute --quantum 20 --runs 40
says "a turn that fairness takes" \
	'^  a task that ran for a whole quantum .* schedules in which it does not are missing'
search 0 late --bound 0
says "a library is opened later" 'opened or executed later than at the start: .*libm.so.6'
search 0 count --wake any
says "waiters are woken in any order" 'waiters woken in any order (futexes and pipes)'
search 0 count --spurious
says "waits end spuriously" 'the order they came or spuriously'
search 0 count --preempt-in covered:add
says "preemptions have a scope" 'preempted only in covered:add'
search 4 stacks --runs 60
says "handlers share a stack" '^  two threads have one alternative stack for their handlers'
totals
