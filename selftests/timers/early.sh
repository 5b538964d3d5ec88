#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Timers as tasks: each wrong program of early.c is found by default, and by the bounded
# search at bound 2 with one preemption, that a timer or deadline goes off early, and its
# trace replays; its mended twin is ok. With --no-early those that need it are ok. Policies
# of chance find some of them. What limits the time of a child passes early if asked for. Run
# inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build); TIMES  replays of each trace (default 100)
# Usage: early.sh [NAME...]; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
cd "$(dirname "$0")/../.." || exit 1
TIMES=${TIMES:-100}
. selftests/expect.sh

suite timers
early=$PROGRAMS/early

# search CODE VERDICT WHAT TWIN OPTION...
search()
{
	local code=$1 verdict=$2 what=$3 twin=$4

	shift 4
	chessctl "$code" explore --host --no-bpf --json --out "$out/$what" "$@" -- \
		"$early" "$what" "$twin"
	is verdict "$verdict"
}

# wrong WHAT VERDICT
wrong()
{
	bad=0
	search 1 "$2" "$1" wrong --points all --strategy icb
	is preemptions 1
	found_replays "$TIMES"
	# By default chance may find it first, with more.
	search 1 "$2" "$1" wrong
	result $bad "$1 is found, and replays $TIMES times"
	# What takes no part in it stays possible for who says so.
	bad=0
	search 0 ok "$1" wrong --no-early
	grep -q '"no_early":true' "$out/json" || bad=1
	result $bad "$1 is ok where nothing passes early"
}

# mended WHAT: what it does not find, deadlines and timers in any order, it has searched
mended()
{
	bad=0
	search 0 ok "$1" mended --bound "${2:-2}"
	is complete true
	result $bad "$1 is ok when mended"
}

# limited WHAT: what limits the time of a child is a watchdog, unless somebody says otherwise
limited()
{
	bad=0
	search 0 ok "$1" wrong --bound 1
	is complete true
	grep -q '"watchdogs":"late"' "$out/json" && grep -q '"watchdog_runs":[1-9]' "$out/json" ||
		bad=1
	"$CHESSCTL" explore --host --no-bpf --bound 1 --out "$out/$1" -- "$early" "$1" wrong \
		>"$out/said" 2>&1 </dev/null || bad=1
	grep -q '^ok: .*; time limits of processes and for children did not pass early' "$out/said" ||
		bad=1
	result $bad "$1 is ok by default, which says why"
	bad=0
	search 1 assert "$1" wrong --watchdogs early --points all --strategy icb
	is preemptions 1
	found_replays "$TIMES"
	result $bad "$1 is found with --watchdogs early, and replays $TIMES times"
	bad=0
	search 0 ok "$1" mended --watchdogs early --bound 1
	is complete true
	result $bad "$1 is ok when mended, with --watchdogs early"
}

# What is early for the child is not for its watchdog; replays go by the trace.
sleeper()
{
	bad=0
	search 1 assert limit-sleeper wrong --points all --strategy icb
	is preemptions 1
	found_replays "$TIMES"
	result $bad "limit-sleeper is found, and replays $TIMES times"
	bad=0
	search 0 ok limit-sleeper mended --bound 2
	is complete true
	result $bad "limit-sleeper is ok when mended"
}

# What a process limits its own time by is no alternative, unless somebody says otherwise: see
# killed. But it goes off at its time: the third of three sleeps is not over then.
own_limit()
{
	bad=0
	search 0 ok killed wrong --bound 2
	is complete true
	grep -q '"watchdog_runs":[1-9]' "$out/json" || bad=1
	result $bad "a limit of the process's own does not go off early"
	bad=0
	search 1 crash outlive wrong
	is preemptions 0
	found_replays 5
	search 0 ok outlive mended --bound 2
	is complete true
	result $bad "a limit of the process's own goes off at its time"
}

# timers_seen WHAT TWIN: how often its timers went off, to $seen
timers_seen()
{
	chessctl 0 run --host --record "$out/left" -- "$early" "$1" "$2"
	"$CHESSCTL" show --format json "$out/left" >"$out/left.json" || bad=1
	seen=$(grep -o '"type": *"timer"' "$out/left.json" | wc -l)
}

# A process that has ended has no timers. Where it lives on for two seconds and a half, one goes
# off each second and the other once.
left_behind()
{
	bad=0
	timers_seen left-behind mended
	same "timers that went off before the process ended" 3 "$seen"
	timers_seen left-behind wrong
	same "timers that went off after the process had ended" 0 "$seen"
	result $bad "timers end with their process"
}

# Each makes room for others when it ends: with its process, or with its last descriptor. Four
# go off before they are closed, and one at the end.
ended()
{
	bad=0
	timers_seen many mended
	same "timers that went off" 5 "$seen"
	grep incomplete "$out/said" && bad=1
	result $bad "timers that have ended make room for others"
}

# Which of the threads that a timer kills is the last one to go makes no difference. Where it did,
# one of ten replays differed.
killed()
{
	bad=0
	search 1 crash killed wrong --watchdogs early --strategy random --seed 1 --runs 200
	found_replays $((TIMES > 60 ? TIMES : 60))
	result $bad "threads that a timer kills end alike"
}

# chance WHAT STRATEGY
chance()
{
	local runs

	bad=0
	search 1 "${3:-assert}" "$1" wrong --strategy "$2" --seed 1 --runs 200
	look runs
	runs=$value
	found_replays 5
	search 1 "${3:-assert}" "$1" wrong --strategy "$2" --seed 1 --runs 200
	is runs "$runs"
	result $bad "$1 is found by $2, each time in run $runs"
}

declare -A verdict=([setitimer]=deadlock)
limits=(limit-poll limit-epoll limit-signal limit-alarm)
names=("$@")
[ $# = 0 ] && names=(timerfd ring alarm setitimer timer-signal timer-thread socket
	outwait handle-late sigwait)
strategies=(random pct pos surw)
echo "KTAP version 1"
echo "1..$((3 * ${#names[@]} + ($# ? 0 : ${#strategies[@]} + 3 * ${#limits[@]} + 7)))"
for name in "${names[@]}"; do
	wrong "$name" "${verdict[$name]:-assert}"
	# A thread of the C library's has many points.
	[ "$name" = timer-thread ] && mended "$name" 1 || mended "$name"
done
if [ $# = 0 ]; then
	for name in "${limits[@]}"; do
		limited "$name"
	done
	sleeper
	own_limit
	left_behind
	ended
	killed
	for strategy in "${strategies[@]}"; do
		chance alarm "$strategy"
	done
fi
totals
