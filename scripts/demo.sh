#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Find a bug in an ordinary pthread program, show it and replay it.  Called by
# "make demo" with everything built; ends 0 only if all of that happened.
# chessctl decides by itself whether it needs the VM.

set -u
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1
build=${BUILD:-$top/build}
# Shown as one would type them.
chessctl=${build#"$top"/}/chessctl
program=${build#"$top"/}/selftests/programs/wrong/abba
out=${build#"$top"/}/demo

run()
{
	printf '\n$ %s\n' "$*"
	"$@"
}

fail()
{
	echo "demo: $*" >&2
	exit 1
}

rm -rf "$out"
mkdir -p "$out" || fail "cannot create $out"

echo "Two threads take two mutexes, in opposite order: selftests/programs/wrong/abba.c"
echo "Run by itself it nearly always ends well:"
run timeout 10 "$program"
echo "(exit code $?)"

run "$chessctl" explore --out "$out" -- "$program"
code=$?
[ $code = 1 ] || fail "explore ended with exit code $code, not with 1 for a bug found"

trace=$(find "$out" -type f -name '*.trace' | head -n 1)
[ -n "$trace" ] || fail "explore found the bug, but left no trace in $out"

run "$chessctl" replay "$trace" --times 10
code=$?
[ $code = 1 ] || fail "replay ended with exit code $code, not with 1 for the bug reproduced"

run "$chessctl" show "$trace" || fail "the trace could not be shown"
printf '\ndemo: found, replayed 10 times and shown.\n'
