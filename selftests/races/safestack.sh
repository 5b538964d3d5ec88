#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Holds the real SafeStack against its model (programs/races/wrong/safestack.h): the search
# must find its bug in the same run, and the same order of accesses must make it fail. The
# traces must replay, and shrink must make the one smaller, and find nothing to leave out of
# the other, which has the fewest preemptions there can be. Run inside the VM, as root, with
# the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# TIMES     replays per trace (default 100)
# Usage: safestack.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

# shellcheck disable=SC2154 # what the files below set
here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
TIMES=${TIMES:-100}
# shellcheck disable=SC2034 # expect.sh reads it: seconds one chessctl may take
LIMIT=200
PROGRAMS=$BUILD/selftests/programs/races/wrong
. "$here/../ktap.sh"
. "$here/../json.sh"
. "$here/../expect.sh"

prepare safestack
expect "$here/../programs/races/wrong/safestack.c"

# fails HOW COUNT [PREEMPTIONS]: a result; $trace is the trace, $preemptions how many it has;
# $status is 4 where the loader is another one than that of the seed
fails()
{
	trace=$out/$1.trace
	bad=0
	"$BUILD/selftests/races/safestack" "$1" "$trace" "$PROGRAMS/safestack" \
		>"$out/had" 2>"$out/said"
	status=$?
	echo "# $1: $(<"$out/had")"
	[ $status != 4 ] || return
	[[ $(<"$out/had") =~ ([0-9]+)\ preemptions ]]
	preemptions=${BASH_REMATCH[1]}
	same "exit code" 0 $status
	[[ $(<"$out/had") =~ ^([0-9]+) ]]
	same "runs or accesses" "$2" "${BASH_REMATCH[1]}"
	[ -z "${3:-}" ] || same preemptions "$3" "$preemptions"
}

# shrinks RUNS: what shrink makes of $trace in so many runs shows the same, and replays
shrinks()
{
	bad=0
	chessctl 1 shrink --host --no-bpf --json --runs "$1" --times "$TIMES" \
		--out "$out/small.trace" "$trace"
	is verdict "${expected[verdict]}"
	is identical "$TIMES"
	look preemptions
	echo "# $preemptions preemptions became ${value:-none}"
}

echo "KTAP version 1"
echo "1..6"

# The run of the seed.
fails search 40
if [ $status = 4 ]; then
	for name in "a search finds it" "what it found replays" "what it found shrinks"; do
		result skip "$name" "$(<"$out/had")"
	done
else
	result $bad "a search finds it in the same run as in the model"
	replays "what it found"
	# In more runs, and minutes, it comes further.
	shrinks 300
	[ "${value:-$preemptions}" -lt "$preemptions" ] || bad=1
	result $bad "what it found shrinks"
fi

# As many accesses as the order has, up to the assertion.
fails least 67 "${expected[preemptions]}"
result $bad "it fails by the order with the fewest preemptions"
replays "the order"
# So many are enough to try to leave out each choice.
shrinks 300
same preemptions "${expected[preemptions]}" "$value"
is one_minimal true
result $bad "nothing can be left out of it"
totals
