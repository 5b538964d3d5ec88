#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Programs in Go, go/NAME.go. The runtime draws random numbers from the time stamp counter
# and reads clocks all the time: runs of one schedule are the same all the same, and so are
# replays. What the runtime itself calls a deadlock is reported as its own words. Builds them on
# the host, and runs them in the VM.
#
# BUILD  build directory (default build)
# TIMES  replays of a trace (default 20)
# Usage: go.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped: there is no Go.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. selftests/programs/language.sh

build()
{
	local name

	for name in pool stuck; do
		go build -o "$PROGRAMS/$name" "selftests/programs/go/$name.go" || return 1
	done
}

language go go 600 "$@"

echo "KTAP version 1"
echo "1..5"
ktap_output=$out/said
"$CHESSCTL" doctor --host --runs 10 -- "$PROGRAMS/pool" >"$out/said" 2>&1 &&
	grep -q '10 of 10 runs are identical' "$out/said"
result $? "ten runs are the same"
# 820 is the sum of 1 to 40.
"$CHESSCTL" run --host -- "$PROGRAMS/pool" >"$out/said" 2>&1 && grep -q '^820 \[' "$out/said"
result $? "its result is right"
"$CHESSCTL" explore --host --no-bpf --runs 200 --json --out "$out/traces" -- "$PROGRAMS/pool" \
	>"$out/said" 2>&1
grep -q '"diverged": *0' "$out/said"
result $? "no run of 200 differs from what its schedule asks for"
"$CHESSCTL" explore --host --no-bpf --out "$out/traces" -- "$PROGRAMS/stuck" >"$out/said" 2>&1
[ $? = 1 ] && grep -q 'all goroutines are asleep' "$out/said"
result $? "what the runtime calls a deadlock is found"
# 1 is the exit code of a bug that comes again.
"$CHESSCTL" replay --host --times "$TIMES" "$(ls "$out"/traces/stuck-*.trace)" >"$out/said" 2>&1
[ $? = 1 ] && grep -q "$TIMES of $TIMES" "$out/said"
result $? "and replays $TIMES times"
totals
