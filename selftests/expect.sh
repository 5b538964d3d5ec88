# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# What chessctl must say of a program, by the comment at its head; to be sourced by suites
# that are bash scripts. Those whose programs are in the directory of their own name call suite;
# the others source ktap.sh and json.sh before, set CHESSCTL, PROGRAMS, TIMES (replays of a
# trace) and LIMIT (seconds one chessctl may take), and call prepare.

# Each process costs as much as a run of a program where the VM is emulated, so what
# is done for every program is done in the shell itself.

# prepare NAME: skips the suite where there is nothing to test; $out is a directory of its own
prepare()
{
	[ -x "$CHESSCTL" ] || skip_all "no chessctl at $CHESSCTL; set CHESSCTL"
	[ -d "$PROGRAMS" ] || skip_all "no programs in $PROGRAMS; run make -C selftests/programs"
	own_folder "$1"
}

# take_part NAME...: those go to $picked whose place in the list is I, modulo N, of PART "I/N"
take_part()
{
	local names=("$@") i

	picked=()
	for ((i = ${PART%/*}; i < ${#names[@]}; i += ${PART#*/})); do
		picked+=("${names[i]}")
	done
}

# suite NAME: all that a script in selftests/NAME needs whose directory is the top of the tree
suite()
{
	export LC_ALL=C
	BUILD=$(realpath "${BUILD:-build}")
	CHESSCTL=$BUILD/chessctl
	PROGRAMS=$BUILD/selftests/$1
	LIMIT=300
	. selftests/ktap.sh
	. selftests/json.sh
	prepare "$1"
}

# expect SOURCE: the words of its expect line go to the array $expected, those of its
# options line, where there is one, to $options; of a livelock its kind to $kind
expect()
{
	local line word

	unset expected
	declare -gA expected=()
	options=() kind=
	while read -r line; do
		case $line in
		"* expect: "*)
			for word in ${line#"* expect: "}; do
				expected[${word%%=*}]=${word#*=}
			done ;;
		"* options: "*) read -ra options <<<"${line#"* options: "}" ;;
		"* kind: "*) kind=${line#"* kind: "} ;;
		"*/") return ;;
		esac
	done <"$1"
}

# same WHAT EXPECTED SEEN: says it when they differ
same()
{
	[ "$2" = "$3" ] && return 0
	echo "# $1: expected $2, seen ${3:-nothing}"
	bad=1
}

# is KEY EXPECTED: what chessctl printed has it
is()
{
	look "$1"
	same "$1" "$2" "$value"
}

# chessctl CODE ARGUMENT...: its exit code must be CODE; its JSON goes to $answer
chessctl()
{
	local code=$1

	shift
	timeout -k 5 "$LIMIT" "$CHESSCTL" "$@" >"$out/json" 2>"$out/said" </dev/null
	same "exit code of $1" "$code" $?
	answer_from "$out/json"
}

# explore_wrong SOURCE PROGRAM OPTION...: what its comment expects, but for preemptions, is
# to be seen in the answer; $trace is the trace
explore_wrong()
{
	local program=$2 short=()

	expect "$1"
	shift 2
	near "$program"
	bad=0
	# A livelock is as long as it may be: once more for its stacks, and for each replay.
	[ "${expected[verdict]}" = livelock ] && short=(--max-points 10000)
	chessctl 1 explore --host --no-bpf --bound 2 --json --out "$out/traces" "${short[@]}" "$@" \
		"${options[@]}" -- "$program"
	is verdict "${expected[verdict]}"
	[ -z "$kind" ] || is kind "$kind"
	look trace
	trace=$value
}

# found_replays TIMES: the trace that the last search found, each time, bit for bit; it goes to
# $trace
found_replays()
{
	look replay
	trace=${value##* }
	[ $bad != 0 ] || chessctl 1 replay --host --json --times "$1" "$trace"
	is reproduced "$1"
	is identical "$1"
}

# replays NAME: a result; $trace shows what the comment expects, $TIMES times
replays()
{
	# A run that only the end of its quantum stops takes seconds.
	local LIMIT=$((LIMIT + 10 * TIMES))

	bad=0
	if [ -f "$trace" ]; then
		chessctl 1 replay --host --times "$TIMES" --json "$trace"
		is verdict "${expected[verdict]}"
		is identical "$TIMES"
	else
		echo "# no trace ${trace:-named} to replay"
		bad=1
	fi
	result $bad "$1 replays $TIMES times"
}
