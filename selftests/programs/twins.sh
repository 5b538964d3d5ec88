# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034
#
# Programs that explore has to find by default, each with a mended twin, NAME_mended; for
# native.sh and outside.sh, to be sourced after expect.sh. They set SOURCES, the directory of
# the programs, and PART and KNOWN, as their heads say.

# Seconds one search may take to find the bug.
FIND=60

# pick [NAME...]: the programs to try go to $picked, in the order of their names
pick()
{
	local names=() src name asked

	for src in "$SOURCES"/*.c; do
		name=$(basename "$src" .c)
		for asked in "${@:-$name}"; do
			[ "$asked" = "$name" ] && names+=("$name")
		done
	done
	take_part "${names[@]}"
	[ ${#picked[@]} -gt 0 ] || skip_all "no program named $*"
}

# search CODE LIMIT PROGRAM OPTION...
search()
{
	local code=$1 program=$3

	LIMIT=$2
	shift 3
	near "$program"
	chessctl "$code" explore --host --json --out "$out/traces" "$@" "${options[@]}" -- "$program"
}

# fewest PREEMPTIONS: so many has the trace, which the last search has made smaller. Where a busy
# machine did not get that done in its time, the trace is made smaller for longer.
fewest()
{
	if ! says preemptions "$1"; then
		LIMIT=600
		chessctl 1 shrink --host --no-bpf --json --time 120 --times 1 --out "$out/small" "$trace"
	fi
	is preemptions "$1"
}

# found NAME
found()
{
	local why

	why=$(sed -n 's/^ \* missed: //p' "$SOURCES/$1.c")
	if [ -n "$why" ] && [ -n "${KNOWN:-}" ]; then
		result skip "$1 is found by default" "missed: $why"
		result skip "$1 replays $TIMES times" "missed"
		return
	fi
	bad=0
	search 1 $FIND "$PROGRAMS/$1"
	is verdict "${expected[verdict]}"
	look runs
	found_runs=$value
	look trace
	trace=$value
	[ -z "${expected[preemptions]:-}" ] || fewest "${expected[preemptions]}"
	result $bad "$1 is found by default"
	LIMIT=300
	replays "$1"
}

# mended NAME LIMIT
mended()
{
	bad=0
	search 0 "$2" "$PROGRAMS/${1}_mended"
	is verdict ok
	is complete true
	result $bad "$1 mended is ok"
}
