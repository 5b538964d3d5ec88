#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Holds `explore --points sync,races` against programs/races/wrong/: each must be found
# with the verdict its comment expects, its trace must replay, and shrinking it must come
# to the number of preemptions in the comment, which is the least there can be: what hold
# finds at once may have more. Run inside the VM, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# TIMES     replays per trace (default 100)
# Usage: programs.sh [NAME...], all but those marked "asked" without names; KTAP on stdout;
# exit 0 passed, 1 failed, 4 skipped.

# shellcheck disable=SC2154 # what the files below set
here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
TIMES=${TIMES:-100}
# shellcheck disable=SC2034 # expect.sh reads it: seconds one chessctl may take
LIMIT=300
SOURCES=$here/../programs/races/wrong
PROGRAMS=$BUILD/selftests/programs/races/wrong
. "$here/../ktap.sh"
. "$here/../json.sh"
. "$here/../expect.sh"

prepare races

names=("$@")
if [ $# -eq 0 ]; then
	for source in "$SOURCES"/*.c; do
		grep -q '^ \* asked:' "$source" || names+=("$(basename "$source" .c)")
	done
fi

# least NAME: a result; the trace, or what shrink makes of it, has the expected preemptions
least()
{
	local wanted=${expected[preemptions]}

	bad=0
	look preemptions
	if [ "$value" != "$wanted" ]; then
		chessctl 1 shrink --host --no-bpf --json --runs 400 --time 60 --times 1 \
			--out "$out/shrunk" "$trace"
		is verdict "${expected[verdict]}"
		is preemptions "$wanted"
	fi
	result $bad "$1 takes $wanted preemptions"
}

echo "KTAP version 1"
echo "1..$((${#names[@]} * 3))"
for name in "${names[@]}"; do
	explore_wrong "$SOURCES/$name.c" "$PROGRAMS/$name" --points sync,races
	[[ $answer =~ \"runs\":([0-9]+).*\"prelude_runs\":([0-9]+) ]] &&
		echo "# $name: ${BASH_REMATCH[1]} runs, ${BASH_REMATCH[2]} of them before the search"
	result $bad "$name is found"
	least "$name"
	replays "$name"
done
totals
