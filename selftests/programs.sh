#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Holds chessctl against programs/: each wrong program must be found with the
# verdict and the number of preemptions its comment expects, and its trace must
# replay; each correct one must end ok, complete, after exactly the expected number
# of runs with no preemption, at most 1 and at most 2. Run inside the VM, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory with selftests/programs/ in it (default ../build)
# TIMES     replays per trace (default 100)
# Usage: programs.sh [--wrong] [--correct] [NAME...], all without arguments; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
TIMES=${TIMES:-100}
PROGRAMS=$BUILD/selftests/programs
LIMIT=300		# seconds one chessctl may take
. "$here/ktap.sh"
. "$here/json.sh"

[ -x "$CHESSCTL" ] || skip_all "no chessctl at $CHESSCTL; set CHESSCTL"
[ -d "$PROGRAMS" ] || skip_all "no programs in $PROGRAMS; run make -C selftests/programs"

out=$(mktemp -d "${TMPDIR:-/tmp}/chess-programs.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
ktap_output=$out/said

# Each process costs as much as a run of a program where the VM is emulated, so what
# is done for every program is done in the shell itself.

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

wrong()
{
	expect "$here/programs/wrong/$1.c"
	bad=0
	# A livelock is as long as it may be: once more for its stacks, and for each replay.
	[ "${expected[verdict]}" = livelock ] && short=(--max-points 10000) || short=()
	chessctl 1 explore --host --no-bpf --bound 2 --json --out "$out/$1" "${short[@]}" "${options[@]}" \
		-- "$PROGRAMS/wrong/$1"
	is verdict "${expected[verdict]}"
	is preemptions "${expected[preemptions]}"
	[ -z "$kind" ] || is kind "$kind"
	look trace
	trace=$value
	result $bad "wrong $1 is found"

	bad=0
	if [ -f "$trace" ]; then
		chessctl 1 replay --host --times "$TIMES" --json "$trace"
		is verdict "${expected[verdict]}"
		is identical "$TIMES"
	else
		echo "# no trace ${trace:-named} to replay"
		bad=1
	fi
	result $bad "wrong $1 replays $TIMES times"
}

# One search at bound 2 makes those at bounds 0 and 1 first: each run is counted with
# the preemptions it has.
correct()
{
	local runs found whole=0 sum=0 bound

	expect "$here/programs/correct/$1.c"
	IFS=, read -r -a runs <<<"${expected[runs]}"
	bad=0
	chessctl 0 explore --host --bound 2 --json --out "$out/$1" "${options[@]}" \
		-- "$PROGRAMS/correct/$1"
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
count=$((${#wrong[@]} * 2 + ${#correct[@]} * 3))
[ "$count" -gt 0 ] || skip_all "no program named $*"

echo "KTAP version 1"
echo "1..$count"
for name in "${wrong[@]}"; do
	wrong "$name"
done
for name in "${correct[@]}"; do
	correct "$name"
done
[ "$n" -eq "$count" ] || failed=$((failed + 1))
totals
