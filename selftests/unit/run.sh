#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs test programs one after the other and makes one KTAP document of them:
# each program is a test, what it prints its subtests. Called by selftests/Makefile.
# Usage: run.sh PROGRAM... ; exit 0 passed, 1 failed, 4 all skipped.

passed=0 failed=0 skipped=0 n=0
echo "KTAP version 1"
echo "1..$#"
for prog in "$@"; do
	n=$((n + 1))
	name=$(basename "$prog")
	{ "$prog" 2>&1 </dev/null; echo "=exit= $?"; } | {
		ret=1
		while IFS= read -r line; do
			case $line in
			"=exit= "*) ret=${line#=exit= } ;;
			*) printf '  %s\n' "$line" ;;
			esac
		done
		exit "$ret"
	}
	case $? in
	0) passed=$((passed + 1)); echo "ok $n $name" ;;
	4) skipped=$((skipped + 1)); echo "ok $n $name # SKIP" ;;
	*) failed=$((failed + 1)); echo "not ok $n $name" ;;
	esac
done
echo "# Totals: pass:$passed fail:$failed xfail:0 xpass:0 skip:$skipped error:0"
[ "$n" -gt 0 ] && [ "$failed" -eq 0 ] || exit 1
[ "$passed" -gt 0 ] || exit 4
