#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Explores awaits.c: a loop that only another task ends is taken for a wait, though it does not say
# so. Right programs are ok up to a bound, with nothing left out; wrong ones are found, with a trace
# that replays; what waits for ever is a livelock. Run inside the VM, as root, with the module
# loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# TIMES     replays of each trace (default 100)
# LIMIT     seconds a search may take (default 200)
# Usage: awaits.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
# shellcheck disable=SC2034 # said.sh reads it
LIMIT=${LIMIT:-200}
AWAITS=$BUILD/selftests/races/awaits
TIMES=${TIMES:-100}
. "$here/../ktap.sh"
# shellcheck source=selftests/said.sh
. "$here/../said.sh"

need "$CHESSCTL" "$AWAITS" "$AWAITS-plain"
own_folder awaits

# search BOUND PROGRAM ARGUMENT...
search()
{
	rm -rf "$out/t"
	chess explore --host --no-bpf --bound "$1" --out "$out/t" -- "${@:2}"
}

# right PROGRAM KIND: as far as is quick, of what is not optimized
right()
{
	local bound=1

	[ "$1" = "$AWAITS" ] || bound=0
	search $bound "$@"
	said 0 "^ok: no bug (with at most $bound preemption|in any schedule)" '[0-9]+ happens-before class'
	result $? "${1##*/} $2: nothing is wrong, and nothing is left out"
}

# wrong PROGRAM KIND VERDICT
wrong()
{
	search 2 "$1" "$2" wrong
	said 1 "^$3: " && {
		chess replay --host --times "$TIMES" "$out"/t/*.trace
		said 1 "^$3 reproduced: $TIMES of $TIMES replays, records identical"
	}
	result $? "${1##*/} $2: $3 is found, and so it is in $TIMES replays"
}

# Replays of traces without that line do not take such loops for waits.
told()
{
	search 2 "$AWAITS" ticket wrong
	said 1 '^livelock: ' && grep -q '^awaits yield$' "$out"/t/*.trace &&
		grep -q ' op=load flags=yield,probe,alone ' "$out"/t/*.trace
	result $? "a trace says that tasks wait in such loops"
}

# in_time HOW: an alarm is what ends the wait, by the machine's time, too
in_time()
{
	chess explore --host --no-bpf --bound 1 --out "$out/late" -- "$AWAITS" late "$@"
	said 0 '^ok: ' && {
		chess explore --host --no-bpf --real-time --runs 1 --out "$out/late" -- \
			"$AWAITS" late "$@"
		said 4 '^incomplete: '
	}
	result $? "a wait that time ends is no livelock${1:+, with a yield}"
}

# What a kind is when something is wrong in it.
declare -A verdict=(
	[exchange]=assert [compare]=assert [test_first]=assert [ticket]=livelock
	[peterson]=assert [flag]=assert [sum]=assert [three]=livelock [both]=livelock
)
kinds="exchange compare test_first ticket peterson flag sum three both"

echo "KTAP version 1"
# Where a compare and exchange takes the address of what is expected, and compilers do not optimize,
# the loop is not understood.
echo "1..36"
for kind in $kinds; do
	right "$AWAITS" "$kind"
	wrong "$AWAITS" "$kind" "${verdict[$kind]}"
	[ "$kind" = three ] || wrong "$AWAITS-plain" "$kind" "${verdict[$kind]}"
	case $kind in
	compare|three) ;;
	*) right "$AWAITS-plain" "$kind" ;;
	esac
done
told
in_time
in_time yields
totals
