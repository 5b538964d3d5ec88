#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Measure the search without a kernel, then control against the same work without
# it, all in one VM run. Called by "make bench"; selftests/bench/bench.sh does the
# measuring and ends with one "bench NAME RATIO" line per measure. Exit 1 where an aim is
# missed by more than noise. With --write, which comes first, the table of docs/cost.md is
# written from what was measured. Other arguments go to chess-vm.

set -u
cd "$(dirname "$0")/.." || exit 1
page=docs/cost.md
write=
if [ "${1:-}" = --write ]; then
	write=yes
	shift
fi
scripts/install-deps.sh bench || exit 1
build/selftests/simulator/sim_bench icb 4 || exit 1
result=$(mktemp) || exit 1
trap 'rm -f "$result" "$result.page"' EXIT
build/chess-vm --timeout 7200 "$@" -- env ROUNDS="${ROUNDS:-5}" selftests/bench/bench.sh |
	tee "$result"
status=${PIPESTATUS[0]}
# What could not be measured is in no table.
[ -n "$write" ] && [ "$status" -le 1 ] || exit "$status"
{
	sed '/^<!-- The next table is written by/q' "$page"
	echo
	echo "| measure | compared with | ratio | of the rounds | aim | |"
	echo "|---|---|---|---|---|---|"
	tr -d '\r' <"$result" | sed -n 's/^row //p'
	echo
	sed -n '/^<!-- End of that table/,$p' "$page"
} >"$result.page"
cat "$result.page" >"$page"
exit "$status"
