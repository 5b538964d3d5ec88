#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Strategy maple: the bug of each idiom is found in a few runs, and its trace replays; of
# programs/wrong all are found but those named below, and none is "ok". Run inside the VM, as
# root, with the module loaded.
#
# BUILD  build directory (default build)
# TIMES  replays of a trace (default 100)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/expect.sh
. selftests/expect.sh
suite programs
PROGRAMS=$BUILD/selftests/programs/wrong
idioms=$BUILD/selftests/inputs/idioms
TIMES=${TIMES:-100}

# What maple cannot find; it ends, and says that it does not know. The first two need a task that
# loops forever beside others, and no order of accesses. In half_close and short_read the tasks use
# the two ends of a socket pair, which are two inodes, so nothing is seen to depend on the other.
# In lost_signal and pause_loop one of the two operations is the arrival of a signal, which is no
# access to an object. philosophers is a cycle of three tasks, and idioms are of two.
not_found=" starved_stop sync_yield half_close short_read lost_signal pause_loop philosophers "

need "$idioms"
near "$idioms"
sources=(selftests/programs/wrong/*.c)
echo "KTAP version 1"
echo "1..$((5 * 2 + ${#sources[@]} + 1))"

# The first run shows which accesses race; with those as points there is a profile, and then
# each idiom gets a run in turn.
for idiom in 1 2 3 4 5; do
	bad=0
	chessctl 1 explore --host --no-bpf --strategy maple --json --out "$out/traces" \
		-- "$idioms" $idiom
	is verdict "$([ $idiom = 5 ] && echo deadlock || echo assert)"
	look runs
	echo "# idiom $idiom: $value runs"
	[ "${value:-99}" -le 10 ] || same "at most 10 runs" yes no
	result $bad "idiom_${idiom}_is_found"
	bad=0
	found_replays "$TIMES"
	result $bad "idiom_${idiom}_replays"
done

for source in "${sources[@]}"; do
	name=${source##*/}
	name=${name%.c}
	expect "$source"
	near "$PROGRAMS/$name"
	bad=0
	timeout -k 5 "$LIMIT" "$CHESSCTL" explore --host --no-bpf --strategy maple --runs 300 --json \
		--max-points 10000 --out "$out/traces" "${options[@]}" -- "$PROGRAMS/$name" \
		>"$out/json" 2>"$out/said" </dev/null
	code=$?
	answer_from "$out/json"
	look verdict
	verdict=$value
	look runs
	echo "# $name: $verdict in $value runs"
	if [ $code = 1 ]; then
		same "verdict" "${expected[verdict]}" "$verdict"
	else
		same "verdict of what is not found" incomplete "$verdict"
		[[ $not_found = *" $name "* ]] || same "found" yes no
	fi
	result $bad "wrong_${name}_is_never_ok"
done

# Its own measure is part of what is said.
bad=0
timeout -k 5 "$LIMIT" "$CHESSCTL" explore --host --no-bpf --strategy maple --out "$out/traces" \
	-- "$BUILD/selftests/programs/correct/mutex_twice" >"$out/said" 2>&1 </dev/null
grep -qE 'iRoots \(Maple\), exposed of those known: idiom 1 [1-9][0-9]* of [0-9]+' "$out/said" ||
	same "a line with iRoots" yes no
result $bad "iroots_are_said"
totals
