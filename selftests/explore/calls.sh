#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Reports have the arguments and results of system calls: a race over a file reads by itself.
# Run inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/ktap.sh
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
chessctl=$BUILD/chessctl

need "$chessctl" "$BUILD/selftests/inputs/lasting" "$BUILD/selftests/programs/wrong/flock_order"
own_folder calls
cd "$out" || exit 1

echo "KTAP version 1"
echo "1..7"

"$chessctl" explore --host --no-bpf --out "$out/a" -- "$BUILD/selftests/inputs/lasting" owner \
	>"$out/said" 2>&1
trace=$(find "$out/a" -name '*.trace' | head -n 1)
grep -q '>openat(AT_FDCWD, "lasting.owner", O_WRONLY|O_CREAT|O_EXCL, 0600) = -1 EEXIST$' "$out/said"
result $? call_that_failed_is_shown
[ "$(grep -c ' access("lasting.owner", F_OK) = -1 ENOENT$' "$out/said")" = 2 ] &&
	grep -q ' openat(AT_FDCWD, "lasting.owner", O_WRONLY|O_CREAT|O_EXCL, 0600) = 3$' "$out/said" &&
	grep -q " close(3<$out/lasting.owner>) = 0\$" "$out/said"
result $? calls_of_a_process_that_was_executed_are_shown
"$chessctl" show "$trace" >"$out/said" 2>&1
grep -q '>openat(AT_FDCWD, "lasting.owner".* = -1 EEXIST$' "$out/said"
result $? trace_has_them
"$chessctl" replay --host --json "$trace" >"$out/said" 2>&1
grep -q '"text": *"openat(AT_FDCWD, \\"lasting.owner\\"' "$out/said"
result $? json_has_them
"$chessctl" replay --host "$trace" >"$out/said" 2>&1
[ $? = 1 ] && grep -q 'identical bit for bit' "$out/said"
result $? run_they_are_from_is_the_one_that_replays

# Of a call that a task is still in nobody knows what it returns.
"$chessctl" explore --host --no-bpf --out "$out/b" -- "$BUILD/selftests/programs/wrong/flock_order" \
	>"$out/said" 2>&1
[ "$(grep -c 'flock([0-9]*<.*>, LOCK_EX) = ?, blocks' "$out/said")" = 2 ]
result $? calls_that_never_returned_say_so

# A program that only locks is not run once more for that.
"$chessctl" explore --host --no-bpf --out "$out/c" -- "$BUILD/selftests/programs/wrong/abba" \
	>"$out/said" 2>&1
[ $? = 1 ] && ! grep -q '^call ' "$out"/c/*.trace
result $? program_without_calls_has_none

totals
