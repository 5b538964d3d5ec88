#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A trace replays in another environment: its length moves the first stack and all
# that lies on it, which no record may show. Run inside the VM, as root, with the
# module loaded.
#
# BUILD  build directory (default build)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
chessctl=$BUILD/chessctl
program=$BUILD/selftests/inputs/stack_locks

if [ ! -x "$chessctl" ] || [ ! -x "$program" ]; then
	skip_all "no $program; run make tests"
fi
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT

ktap_output=$out/got

# Lengths around the 16 bytes a stack is aligned to, and beyond a page.
lengths=(0 1 7 8 15 16 17 31 100 5000)

echo "KTAP version 1"
echo "1..$((${#lengths[@]} + 2))"
env -i "$chessctl" explore --host --out "$out/traces" -- "$program" >"$out/got" 2>&1
[ $? = 1 ] && grep -q 'lock 0x7ff.* held by T' "$out/got"
result $? deadlock_on_the_stack_is_found_and_its_holders_named
trace=$(echo "$out"/traces/*.trace)
for length in "${lengths[@]}"; do
	env -i LONG="$(printf "%${length}s" "" | tr ' ' x)" \
		"$chessctl" replay --host --times 3 "$trace" >"$out/got" 2>&1
	[ $? = 1 ] && grep -q 'reproduced.*3 of 3 replays' "$out/got"
	result $? "replays_with_$length"_bytes_more
done
env -i A= B= C= D= E= "$chessctl" replay --host --times 3 "$trace" >"$out/got" 2>&1
[ $? = 1 ] && grep -q 'reproduced.*3 of 3 replays' "$out/got"
result $? replays_with_more_variables

totals
