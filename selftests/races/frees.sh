#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Explores the programs of frees.c with races as points: each that uses memory behind its
# free(), or frees it twice, must be found, with the lines of both, and its trace show that
# again in every replay; each mended twin must be right in a search that is complete. Run
# inside the VM, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# TIMES     replays of each trace (default 100)
# Usage: frees.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
# shellcheck disable=SC2034 # said.sh reads it
LIMIT=200
FREES=$BUILD/selftests/races/frees
TIMES=${TIMES:-100}
. "$here/../ktap.sh"
# shellcheck source=selftests/said.sh
. "$here/../said.sh"

need "$CHESSCTL" "$FREES" "$FREES-static"
own_folder frees

# Lines of frees.c by their marks.
declare -A line=()
number=0
while IFS= read -r text; do
	number=$((number + 1))
	[[ $text =~ /\*\ ([a-z_]+)\ \*/$ ]] && line[${BASH_REMATCH[1]}]=$number
done <"$here/frees.c"

at() { echo "in $1\(\) at frees.c:${line[$1]}"; }

# search PROGRAM WHAT [OPTION...]
search()
{
	local program=$1 what=$2

	shift 2
	rm -rf "$out/t"
	chess explore --host --no-bpf --points sync,races --out "$out/t" "$@" -- "$program" "$what"
}

# found PROGRAM WHAT PATTERN...: and its trace
found()
{
	local program=$1 what=$2

	shift 2
	search "$program" "$what"
	said 1 '^(memory|crash): ' "$@"
	result $? "${program##*/} $what is found"
	chess replay --host --times "$TIMES" "$out"/t/*.trace
	said 1 "reproduced: $TIMES of $TIMES replays, records identical" "$1"
	result $? "its trace shows it $TIMES times"
}

# right PROGRAM WHAT
right()
{
	search "$1" "$2"
	said 0 '^ok: no bug (with at most [0-9]+ preemptions|in any schedule)'
	result $? "${1##*/} $2 is right"
}

echo "KTAP version 1"
echo "1..24"

found "$FREES" use '^use after free of 104 bytes' "T1 +frees 104 bytes $(at remove_object)" \
	"T0 +reads 8 bytes $(at use_object)"
found "$FREES" twice '^double free of 104 bytes' "T0 +frees 104 bytes $(at drop_object)" \
	"T1 +frees 104 bytes $(at drop_object)"
found "$FREES" move '^use after free of 2008 bytes' "T1 +frees 2008 bytes $(at resize)" \
	"T0 +reads 8 bytes $(at read_at)" "T1 +ran instead: +free 0x.* resize"
found "$FREES" shrink '^use after free of 2008 bytes' "T1 +frees 1904 bytes $(at resize)" \
	"T0 +reads 8 bytes $(at read_at)"
found "$FREES" list '^use after free of 104 bytes' "T1 +frees 104 bytes $(at unlink_first)" \
	"T0 +reads 8 bytes $(at visit)"
for what in use twice move shrink list; do
	right "$FREES" "no_$what"
done

# The heap's own calls of free() cannot be told from those of the program.
found "$FREES-static" use '^use after free of 104 bytes' "T0 +reads 8 bytes $(at use_object)"
right "$FREES-static" no_use
right "$FREES-static" no_twice

# One run, in which T0 is first: what is behind free() is told as a race.
chess races --host --runs 1 --strategy icb --out "$out/r" -- "$FREES" use
said 1 '^race: ' "T0 +reads 8 bytes $(at use_object)" "T1 +frees 104 bytes $(at remove_object)"
result $? "free() races with what is before it"
chess replay --host --times 3 "$out"/r/*race-1.trace
said 1 'race reproduced: 3 of 3 replays, records identical' "T1 +frees 104 bytes"
result $? "a trace keeps that race"

search "$FREES" move --json
said 1 '"verdict": *"memory"' '"kind": *"use after free"' '"frees": *true'
result $? "JSON says which misuse it was"

chess shrink --host --times 3 --out "$out/s" "$out"/t/*.trace
said 1 'memory shrunk' "use after free of 2008 bytes"
result $? "it can be shrunk"
chess races --host --runs 10 --out "$out/r" -- "$FREES" no_use
said 0 '^ok: '
result $? "the twin has no race"
totals
