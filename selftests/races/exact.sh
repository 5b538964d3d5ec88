#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Holds `chessctl races` against programs/races/exact/: the pairs of instructions that race
# must be those in the comment of the program, each pair once, and no others; race-free
# programs have none. Run inside the VM, as root, with the module loaded.
#
# A comment says "race: VARIABLE A.w B.r": the instruction that stores, at the line marked
# A, races with the one that loads at the line marked B; u is one that does both. "-" is
# memory without a name. "nodebug:" is the same of the program built without debug
# information, of which no lines are known: there the kinds of access are compared. "fast:"
# is that of one built with optimization, "linked:" of one that is linked statically.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# RUNS      runs of each program, if another number than chessctl's
# Usage: exact.sh [NAME...], all without arguments; KTAP on stdout; exit 0 passed, 1
# failed, 4 skipped.

# shellcheck disable=SC2154 # what the files below set
here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
# shellcheck disable=SC2034 # expect.sh reads it: seconds one chessctl may take
LIMIT=200
SOURCES=$here/../programs/races/exact
PROGRAMS=$BUILD/selftests/programs/races/exact
. "$here/../ktap.sh"
. "$here/../json.sh"
. "$here/../expect.sh"

prepare exact

# pair VARIABLE SIDE SIDE: its line in a sorted list, sides in one order
pair()
{
	if [[ $2 < $3 ]]; then
		echo "$1 $2 $3"
	else
		echo "$1 $3 $2"
	fi
}

# pairs_expected WORD SOURCE: what the comment says behind WORD:, marks as numbers of lines
pairs_expected()
{
	local -A line=()
	local text number=0 word variable a b

	while IFS= read -r text; do
		number=$((number + 1))
		[[ $text =~ /\*\ ([A-Z])\ \*/$ ]] && line[${BASH_REMATCH[1]}]=$number
	done <"$2"
	while read -r _ word variable a b; do
		[ "$word" = "$1:" ] || continue
		if [ "$1" = nodebug ]; then
			pair "$variable" "${a#*.}" "${b#*.}"
		else
			pair "$variable" "${line[${a%.*}]}.${a#*.}" "${line[${b%.*}]}.${b#*.}"
		fi
	done <"$2" | sort
}

# side TEXT: the access that begins there, as LINE.KIND; no line where none is known
side()
{
	local form='"read":(true|false),"write":(true|false),'
	local kind=r line

	[[ $1 =~ $form ]] || return
	[ "${BASH_REMATCH[2]}" = true ] && kind=w
	[ "${BASH_REMATCH[1]}${BASH_REMATCH[2]}" = truetrue ] && kind=u
	line=${1#*'"line":'}
	line=${line%%[,\}]*}
	[ "$line" = null ] && echo "$kind" || echo "$line.$kind"
}

# pairs_found: what $answer says
pairs_found()
{
	local rest=${answer//[[:space:]]/} variable

	while [[ $rest == *'"first":{'* ]]; do
		variable=-
		[[ ${rest%%'"first":{'*} =~ .*\"symbol\":\"([A-Za-z_0-9]+) ]] &&
			variable=${BASH_REMATCH[1]}
		rest=${rest#*'"first":{'}
		pair "$variable" "$(side "$rest")" "$(side "${rest#*'"second":{'}")"
	done | sort
}

# source_of NAME
source_of() { [ -f "$SOURCES/$1.c" ] && echo "$SOURCES/$1.c" || echo "$SOURCES/$1.cc"; }

# races NAME WORD PROGRAM: of the source with that name
races()
{
	local wanted found code=0 said=ok

	bad=0
	wanted=$(pairs_expected "$2" "$(source_of "$1")")
	[ -z "$wanted" ] || code=1 said=race
	chessctl $code races --host --json ${RUNS:+--runs "$RUNS"} --out "$out/traces" -- "$PROGRAMS/$3"
	is verdict $said
	found=$(pairs_found)
	same "pairs that race" "$wanted" "$found"
	if [ -z "$wanted" ]; then
		result $bad "$3 has no race"
	else
		result $bad "$3 has these $(wc -l <<<"$wanted") races"
	fi
}

names=("$@")
if [ $# -eq 0 ]; then
	for source in "$SOURCES"/*.c "$SOURCES"/*.cc; do
		source=${source##*/}
		names+=("${source%.*}")
	done
fi
count=${#names[@]}
for name in "${names[@]}"; do
	for variant in nodebug fast linked; do
		[ -x "$PROGRAMS/${name}_$variant" ] && count=$((count + 1))
	done
done

echo "KTAP version 1"
echo "1..$count"
for name in "${names[@]}"; do
	races "$name" race "$name"
	for variant in nodebug fast linked; do
		[ -x "$PROGRAMS/${name}_$variant" ] && races "$name" $variant "${name}_$variant"
	done
done
totals
