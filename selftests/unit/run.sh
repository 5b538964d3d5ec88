#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs test programs, $JOBS at a time or else one after the other, and makes one KTAP
# document of them: each program is a test, what it prints its subtests. They begin in the
# order given and are told in it. Called by selftests/Makefile, and by suites in the VM.
# Usage: run.sh PROGRAM... ; exit 0 passed, 1 failed, 4 all skipped.

jobs=${JOBS:-1}
progs=("$@")
numbers=()		# by pid, index of the program
status=()		# by index, empty until it has ended
passed=0 failed=0 skipped=0 told=0
out=$(mktemp -d) || exit 1
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$out"' EXIT
trap 'exit 130' INT TERM HUP

# tell: those that have ended, up to the first that has not
tell()
{
	local name

	while [ -n "${status[told]:-}" ]; do
		name=$(basename "${progs[told]}")
		sed 's/^/  /' "$out/$told"
		case ${status[told]} in
		0) passed=$((passed + 1)); echo "ok $((told + 1)) $name" ;;
		4) skipped=$((skipped + 1)); echo "ok $((told + 1)) $name # SKIP" ;;
		*) failed=$((failed + 1)); echo "not ok $((told + 1)) $name" ;;
		esac
		told=$((told + 1))
	done
}

# reap: wait for one of them
reap()
{
	local pid ret

	wait -n -p pid
	ret=$?
	status[numbers[pid]]=$ret
	tell
}

echo "KTAP version 1"
echo "1..$#"
for i in "${!progs[@]}"; do
	[ "$i" -lt "$jobs" ] || reap
	"${progs[i]}" >"$out/$i" 2>&1 </dev/null &
	numbers[$!]=$i
done
while [ "$told" -lt $# ]; do
	reap
done
echo "# Totals: pass:$passed fail:$failed xfail:0 xpass:0 skip:$skipped error:0"
[ $# -gt 0 ] && [ "$failed" -eq 0 ] || exit 1
[ "$passed" -gt 0 ] || exit 4
