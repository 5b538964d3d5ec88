#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Waits that end for nothing (spurious.c): a program that looks once at what it waits for fails
# with --spurious at the price of one preemption, and not without; its trace replays. Programs
# that look again are right, and have as many schedules more as there are places where the wait
# can end. Run inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build); TIMES  replays of each trace (default 50)
# Usage: spurious.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
cd "$(dirname "$0")/../.." || exit 1
TIMES=${TIMES:-50}
. selftests/expect.sh

suite spurious
spurious=$PROGRAMS/spurious

# search CODE VERDICT WAY CHECK OPTION...
search()
{
	local code=$1 verdict=$2 way=$3 check=$4

	shift 4
	chessctl "$code" explore --host --no-bpf --json --points all --strategy icb \
		--out "$out/$way" "$@" -- "$spurious" "$way" "$check"
	is verdict "$verdict"
}

# fails WAY CHECK: with --spurious, which is said, and bit for bit
fails()
{
	local trace

	bad=0
	search 0 ok "$1" "$2" --bound 1
	is complete true
	grep -q '"spurious":false' "$out/json" || bad=1
	search 0 ok "$1" "$2" --bound 0 --spurious
	search 1 assert "$1" "$2" --bound 1 --spurious
	is preemptions 1
	found_replays "$TIMES"
	"$CHESSCTL" show "$trace" >"$out/shown" 2>&1
	grep -q 'woke up spuriously' "$out/shown" &&
		grep -q 'spuriously, which counts as one' "$out/shown" || bad=1
	grep -q 'explore with --no-early' "$out/shown" && bad=1
	result $bad "$1 $2: fails with --spurious alone, and replays $TIMES times"
}

# holds WAY CHECK [MORE]: ok, and so many runs more with waits that end for nothing
holds()
{
	local runs

	bad=0
	search 0 ok "$1" "$2" --bound 1
	look runs
	runs=$value
	search 0 ok "$1" "$2" --bound 1 --spurious
	is complete true
	grep -q '"spurious":true' "$out/json" || bad=1
	look runs
	if [ $# -gt 2 ]; then
		same "runs more" "$3" $((value - runs))
	else
		[ "$value" -gt "$runs" ] || bad=1
	fi
	result $bad "$1 $2: is right"
}

# refused WORDS OPTION...
refused()
{
	local words=$1

	bad=0
	shift
	"$CHESSCTL" explore --host --no-bpf --spurious "$@" -- "$spurious" cond if \
		>"$out/said" 2>&1 </dev/null
	[ $? = 2 ] && grep -q -- "$words" "$out/said" || bad=1
	result $bad "refused with $1"
}

echo "KTAP version 1"
echo "1..27"
for way in cond timed clock c11 c11timed futex futextimed; do
	fails "$way" if
done
for way in timed clock c11timed futextimed; do
	fails "$way" self
done
# While the first task waits and was not woken there are three decisions: that it waits, and the
# other's points where it locks and where it signals. Of the futex it is not asleep in a lock, and
# there are two.
for way in cond c11; do
	holds "$way" while 3
done
holds futex while 2
for way in timed clock c11timed futextimed; do
	holds "$way" while
done
holds cond two
bad=0
search 0 ok cond two --bound 1 --spurious --wake any
is complete true
result $bad "together with --wake any"
bad=0
search 1 assert cond if --strategy random --seed 1 --runs 200 --spurious
found_replays 5
result $bad "a random walk has waits end spuriously, too"
bad=0
chessctl 1 explore --host --no-bpf --json --spurious --jobs 2 --out "$out/jobs" -- "$spurious" \
	timed self
is verdict assert
result $bad "by default, with two runs at a time"
bad=0
"$CHESSCTL" explore --host --no-bpf --bound 0 --out "$out/covered" -- "$spurious" cond while \
	>"$out/said" 2>/dev/null </dev/null
grep -q 'the order they came, never spuriously' "$out/said" || bad=1
"$CHESSCTL" explore --host --no-bpf --bound 0 --out "$out/covered" --spurious -- "$spurious" \
	cond while >"$out/said" 2>/dev/null </dev/null
grep -q 'the order they came or spuriously' "$out/said" || bad=1
result $bad "what was covered says which"
refused 'leave out --spurious or --reduce' --reduce hb
refused 'leave out that or --spurious' --no-early
refused 'leave out that or --spurious' --real-time
bad=0
search 1 assert timed if --strategy random --seed 3 --runs 300 --spurious
look replay
chessctl 1 shrink --host --json "${value##* }"
look trace
"$CHESSCTL" show "${value##* }" 2>/dev/null | grep -q '1 preemption' || bad=1
result $bad "a trace of chance is shrunk to one preemption"
totals
