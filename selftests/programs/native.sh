#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Programs that fail by themselves, if seldom: native/NAME.c. Each one, with the windows in
# it held open, fails alone, which needs no tool to be believed; as anybody would
# write it, explore finds it by default within 60 seconds, and its trace replays. Its mended
# twin does not fail alone, and is ok and complete. Run inside the VM, as root, with the
# module loaded.
#
# BUILD  build directory (default build)
# TIMES  replays of each trace (default 100)
# KNOWN  where set, what the head of a program says is missed as yet ("missed: why") is
#        skipped, and docs/limits.md has it; otherwise it fails
# PART   "I/N": only the programs whose place in the list is I, modulo N
# Usage: native.sh [NAME...], all without arguments; KTAP on stdout; exit 0 passed,
# 1 failed, 4 skipped.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
BUILD=$(realpath "${BUILD:-build}")
CHESSCTL=$BUILD/chessctl
PROGRAMS=$BUILD/selftests/programs/native
TIMES=${TIMES:-100}
PART=${PART:-0/1}
# Seconds one search may take to find the bug.
FIND=60
. selftests/ktap.sh
. selftests/json.sh
. selftests/expect.sh

prepare native

# alone PROGRAM: what comes of it without control goes to $came: ok, hang or fails
alone()
{
	# What was freed is filled with something, so that its use is noticed.
	(ulimit -c 0; MALLOC_PERTURB_=165 timeout -k 1 5 "$1" </dev/null >"$out/said" 2>&1) 2>/dev/null
	case $? in
	0) came=ok ;;
	124|137) came=hang ;;
	*) came=fails ;;
	esac
}

# fails_alone NAME
fails_alone()
{
	local fault=fails i

	# A busy machine may hold the window shut: ten tries.
	case ${expected[verdict]} in deadlock|livelock) fault=hang ;; esac
	for ((i = 0; i < 10; i++)); do
		alone "$PROGRAMS/${1}_slow"
		[ $came = ok ] || break
	done
	same "the wrong one alone" $fault $came
	for ((i = 0; i < 2; i++)); do
		alone "$PROGRAMS/${1}_mended_slow"
		same "its twin alone" ok $came
	done
}

# search CODE LIMIT PROGRAM OPTION...
search()
{
	local code=$1 program=$3

	LIMIT=$2
	shift 3
	chessctl "$code" explore --host --json --out "$out/traces" "$@" "${options[@]}" -- "$program"
}

# found NAME
found()
{
	local why

	why=$(sed -n 's/^ \* missed: //p' "selftests/programs/native/$1.c")
	if [ -n "$why" ] && [ -n "${KNOWN:-}" ]; then
		result skip "$1 is found by default" "missed: $why"
		result skip "$1 replays $TIMES times" "missed"
		return
	fi
	bad=0
	search 1 $FIND "$PROGRAMS/$1"
	is verdict "${expected[verdict]}"
	look trace
	trace=$value
	result $bad "$1 is found by default"
	LIMIT=300
	replays "$1"
}

names=()
for src in selftests/programs/native/*.c; do
	name=$(basename "$src" .c)
	for asked in "${@:-$name}"; do
		[ "$asked" = "$name" ] && names+=("$name")
	done
done
picked=()
for ((i = ${PART%/*}; i < ${#names[@]}; i += ${PART#*/})); do
	picked+=("${names[i]}")
done
[ ${#picked[@]} -gt 0 ] || skip_all "no program named $*"

echo "KTAP version 1"
echo "1..$((${#picked[@]} * 4))"
for name in "${picked[@]}"; do
	expect "selftests/programs/native/$name.c"
	bad=0
	fails_alone "$name"
	result $bad "$name fails alone, mended it does not"
	found "$name"
	bad=0
	search 0 300 "$PROGRAMS/${name}_mended"
	is verdict ok
	is complete true
	result $bad "$name mended is ok"
	rm -rf "$out/traces"
done
totals
