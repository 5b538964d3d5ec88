#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Points that tasks note by themselves: the same records as with traps, of all programs of correct/
# and wrong/, and nothing lost where signals come or the program writes to the ring. Run inside the
# VM, as root.
#
# TIMES  plans of each program (default 20); TIME  seconds of signals (default 30)
# BUILD  build directory (default build)

set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
hits=/sys/module/chess/parameters/fast_hits
own=$BUILD/selftests/determinism
programs=("$BUILD/selftests/programs/long" "$own/fast_maps" "$own/fast_rows")
for program in "$BUILD"/selftests/programs/{correct,wrong}/*; do
	[ -f "$program" ] && [ -x "$program" ] && programs+=("$program")
done

# The programs are short.
before=$(cat "$hits") && echo 1 >"$hits" || exit 1
trap 'echo "$before" >"$hits"' EXIT
echo "KTAP version 1"
echo "1..2"
failed=0
part()
{
	local number=$1 name=$2 status

	shift 2
	"$@" | sed 's/^/  /'
	status=${PIPESTATUS[0]}
	if [ "$status" = 0 ]; then
		echo "ok $number $name"
	else
		echo "not ok $number $name"
		failed=$((failed + 1))
	fi
}
part 1 same_records "$own/fast_test" "${TIMES:-20}" "${programs[@]}"
part 2 disturbed "$own/fast_abuse_test" "${TIME:-30}" "$own/fast_subject"
echo "# Totals: pass:$((2 - failed)) fail:$failed xfail:0 xpass:0 skip:0 error:0"
[ "$failed" = 0 ]
