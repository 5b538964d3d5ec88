#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# How often a run that is to expose an iRoot does, by idiom: table 5 of Maple (OOPSLA'12) for the
# programs of selftests/programs, as docs/coverage.md has it. A search ends at its first bug. Run
# inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build)
# DIRS   of selftests/programs (default "wrong outside")
# RUNS   at most so many with each program (default 300)
# TIME   seconds for each program (default 20)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/expect.sh
. selftests/expect.sh
suite programs
RUNS=${RUNS:-300}
TIME=${TIME:-20}
programs=0

echo "KTAP version 1"
echo "1..1"
for dir in ${DIRS:-wrong outside}; do
	for source in selftests/programs/"$dir"/*.c; do
		name=${source##*/}
		program=$PROGRAMS/$dir/${name%.c}
		[ -x "$program" ] || continue
		expect "$source"
		near "$program"
		timeout -k 5 "$LIMIT" "$CHESSCTL" explore --host --no-bpf --strategy maple \
			--memo "$out/all.memo" --runs "$RUNS" --time "$TIME" --max-points 10000 \
			--out "$out/traces" "${options[@]}" -- "$program" >"$out/said" 2>&1 </dev/null
		programs=$((programs + 1))
		rm -rf "$out/traces"
	done
done
"$CHESSCTL" coverage "$out/all.memo" >"$out/said" 2>&1
code=$?
echo "# $programs programs; of the table of chessctl coverage:"
sed -n '1,8s/^/# /p' "$out/said"
[ $code = 0 ] && [ $programs -gt 0 ]
result $? "success by idiom"
totals
