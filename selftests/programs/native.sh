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
SOURCES=selftests/programs/native
PROGRAMS=$BUILD/$SOURCES
TIMES=${TIMES:-100}
PART=${PART:-0/1}
. selftests/ktap.sh
. selftests/json.sh
. selftests/expect.sh
. selftests/programs/twins.sh

prepare native

# alone PROGRAM TIMES: what comes of it without control, with windows that last TIMES as long,
# goes to $came: ok, hang or fails
alone()
{
	# What was freed is filled with something, so that its use is noticed.
	(
		ulimit -c 0
		export MALLOC_PERTURB_=165 WINDOW_TIMES=$2
		timeout -k 1 $((5 * $2)) "$1" </dev/null >"$out/said" 2>&1
	) 2>/dev/null
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

	# A busy machine may hold the window shut: ten tries, and it is open for longer and longer.
	case ${expected[verdict]} in deadlock|livelock) fault=hang ;; esac
	for ((i = 0; i < 10; i++)); do
		alone "$PROGRAMS/${1}_slow" $((1 << i / 3))
		[ $came = ok ] || break
	done
	same "the wrong one alone" $fault $came
	for ((i = 0; i < 2; i++)); do
		alone "$PROGRAMS/${1}_mended_slow" 1
		same "its twin alone" ok $came
	done
}

pick "$@"

echo "KTAP version 1"
echo "1..$((${#picked[@]} * 4))"
for name in "${picked[@]}"; do
	expect "selftests/programs/native/$name.c"
	bad=0
	fails_alone "$name"
	result $bad "$name fails alone, mended it does not"
	found "$name"
	mended "$name" 300
	rm -rf "$out/traces"
done
totals
