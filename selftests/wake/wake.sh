#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Who is woken: three tasks come to a line in one order (wake.c). By default they go on in that
# order and in no other; with --wake any in each of the six, which are then six runs, and each
# replays. Programs of the conformance suite have as many runs then as the model counts, which
# stands in their sources (any:). Policies of chance find one that is not the first. Run inside
# the VM, as root, with the module loaded.
#
# BUILD  build directory (default build); TIMES  replays of each trace (default 100)
# Usage: wake.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
cd "$(dirname "$0")/../.." || exit 1
TIMES=${TIMES:-100}
. selftests/expect.sh

suite wake
wake=$PROGRAMS/wake
orders=(123 132 213 231 312 321)

# search CODE VERDICT WAY ORDER OPTION...
search()
{
	local code=$1 verdict=$2 way=$3 order=$4

	shift 4
	chessctl "$code" explore --host --no-bpf --json --points all --out "$out/$way" "$@" -- \
		"$wake" "$way" "$order"
	is verdict "$verdict"
}

# line WAY: which orders there are. A sixth order needs a choice among three, and then of two:
# no other is free at bound 0, but of who goes on at the end of a thread (mutex).
line()
{
	local order

	bad=0
	search 1 assert "$1" 123 --strategy icb --bound 0
	for order in "${orders[@]:1}"; do
		search 0 ok "$1" "$order" --strategy icb --bound 0
		is complete true
	done
	grep -q '"wake":"fifo"' "$out/json" || bad=1
	result $bad "$1: in the order they came by default, and in no other"
	bad=0
	for order in "${orders[@]}"; do
		search 1 assert "$1" "$order" --strategy icb --bound 0 --wake any
		is preemptions 0
	done
	found_replays "$TIMES"
	result $bad "$1: in each order with --wake any, which replays $TIMES times"
	bad=0
	search 0 ok "$1" none --strategy icb --bound 0 --wake any
	is complete true
	[ "$1" = mutex ] || is runs 6
	grep -q '"wake":"any"' "$out/json" || bad=1
	result $bad "$1: six orders are six runs, and no more"
}

# modelled SOURCE RUNS: a correct program has as many runs as the model says
modelled()
{
	local name=${1##*/}

	name=${name%.c}
	bad=0
	chessctl 0 explore --host --no-bpf --json --points all --strategy icb --bound 2 --wake any \
		--out "$out/$name" -- "$BUILD/selftests/programs/correct/$name"
	is complete true
	is runs "$2"
	result $bad "$name has the modelled runs in any order"
}

mapfile -t models < <(grep -H '^ \* any: runs=' selftests/programs/correct/*.c)
ways=(mutex cond sem pipe futex)
echo "KTAP version 1"
echo "1..$((3 * ${#ways[@]} + 2 + ${#models[@]}))"
for way in "${ways[@]}"; do
	line "$way"
done
for model in "${models[@]}"; do
	modelled "${model%%:*}" "${model##*,}"
done
bad=0
search 1 assert sem 312 --strategy random --seed 1 --runs 200 --wake any
found_replays 5
result $bad "a random walk chooses who is woken, too"
bad=0
"$CHESSCTL" explore --host --no-bpf --bound 0 --wake any --reduce hb -- "$wake" sem 123 \
	>"$out/said" 2>&1 </dev/null
[ $? = 2 ] && grep -q 'leave out --wake any or --reduce' "$out/said" || bad=1
result $bad "with a reduction it is refused"
totals
