#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Holds chessctl against programs/: each wrong program must be found with the verdict and
# the number of preemptions its comment expects, and its trace must replay; by default as
# well, where the report says "fewest" with no more of them. Each correct one must end ok,
# complete, after exactly the expected number of runs of the bounded search with no
# preemption, at most 1 and at most 2, and ok by default. Run inside the VM, as root, with
# the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory with selftests/programs/ in it (default ../build)
# TIMES     replays per trace (default 100)
# Usage: programs.sh [--wrong] [--correct] [NAME...], all without arguments; KTAP on
# stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
TIMES=${TIMES:-100}
PROGRAMS=$BUILD/selftests/programs
# shellcheck disable=SC2034 # expect.sh reads it: seconds one chessctl may take
LIMIT=300
# shellcheck source=selftests/ktap.sh
. "$here/ktap.sh"
# shellcheck source=selftests/json.sh
. "$here/json.sh"
# shellcheck source=selftests/expect.sh
. "$here/expect.sh"

prepare programs

# What runs are counted of; the default has others by turns with them, and more points.
BOUNDED=(--points all --strategy icb)

# One search at bound 2 makes those at bounds 0 and 1 first: each run is counted with
# the preemptions it has.
correct()
{
	local runs found whole=0 sum=0 bound

	expect "$here/programs/correct/$1.c"
	IFS=, read -r -a runs <<<"${expected[runs]}"
	near "$PROGRAMS/correct/$1"
	bad=0
	chessctl 0 explore --host --bound 2 --json --out "$out/$1" "${BOUNDED[@]}" \
		"${options[@]}" -- "$PROGRAMS/correct/$1"
	is verdict ok
	is complete true
	is runs "${runs[2]}"
	whole=$bad
	found=()
	[[ $answer =~ \"runs_by_preemptions\":\[([^]]*)] ]] &&
		IFS=, read -r -a found <<<"${BASH_REMATCH[1]//[[:space:]]/}"
	for bound in 0 1 2; do
		bad=$whole
		sum=$((sum + ${found[bound]:-0}))
		same "runs up to bound $bound" "${runs[bound]}" $sum
		result $bad "correct $1 has the modelled runs at bound $bound"
	done
	bad=0
	chessctl 0 explore --host --no-bpf --json --out "$out/$1" "${options[@]}" \
		-- "$PROGRAMS/correct/$1"
	is verdict ok
	is complete true
	result $bad "correct $1 is ok by default"
}

# names KIND [NAME...]: adds the programs of a kind to the array of that name; only
# those asked for, if any, by name or all of the kind
names()
{
	local -n list=$1
	local kind=$1 src name asked

	shift
	for src in "$here/programs/$kind"/*.c; do
		name=${src##*/}
		name=${name%.c}
		[ $# -eq 0 ] && list+=("$name")
		for asked; do
			[ "$asked" = "$name" ] || [ "$asked" = --$kind ] && list+=("$name")
		done
	done
}

wrong=() correct=()
names wrong "$@"
names correct "$@"
count=$((${#wrong[@]} * 3 + ${#correct[@]} * 4))
[ "$count" -gt 0 ] || skip_all "no program named $*"

echo "KTAP version 1"
echo "1..$count"
for name in "${wrong[@]}"; do
	explore_wrong "$here/programs/wrong/$name.c" "$PROGRAMS/wrong/$name" "${BOUNDED[@]}"
	is preemptions "${expected[preemptions]}"
	result $bad "wrong $name is found"
	replays "wrong $name"
	explore_wrong "$here/programs/wrong/$name.c" "$PROGRAMS/wrong/$name"
	# Chance may find it with more, and a busy machine may end the search for fewer.
	if says minimal fewest; then
		look preemptions
		[ "$value" -le "${expected[preemptions]}" ] ||
			same "the fewest preemptions" "${expected[preemptions]}" "$value"
	fi
	result $bad "wrong $name is found by default"
done
for name in "${correct[@]}"; do
	correct "$name"
done
[ "$n" -eq "$count" ] || failed=$((failed + 1))
totals
