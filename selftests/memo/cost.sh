#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What a run of strategy maple costs beside other runs of the same program, as docs/coverage.md has
# it: profiles and active runs with a memo, active runs without one, random runs with accesses
# recorded, and random runs without accesses. All in one VM, one kind after the other and again;
# printed are medians of milliseconds a run. Run inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build)
# REPS   how often (default 7)
# RUNS   of each search, but of profiles, which are 4 (default 30)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/expect.sh
. selftests/expect.sh
suite memo
REPS=${REPS:-7}
RUNS=${RUNS:-30}
need "$PROGRAMS/server"
near "$PROGRAMS/server" "$BUILD/selftests/programs/correct/semaphore_pool"

# search KIND OPTION...: a line "KIND milliseconds" to $out/times
search()
{
	local kind=$1

	shift
	"$CHESSCTL" explore --host --no-bpf --json --out "$out/traces" "$@" -- "${program[@]}" \
		>"$out/json" 2>"$out/said" </dev/null
	answer_from "$out/json"
	look runs
	local runs=$value
	look seconds
	awk -v k="$kind" -v s="$value" -v n="$runs" 'BEGIN { print k, 1000 * s / n }' >>"$out/times"
}

# median KIND
median() { awk -v k="$1" '$1 == k { print $2 }' "$out/times" | sort -n |
	awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

measure()
{
	local rep

	: >"$out/times"
	rm -f "$out"/*.memo
	# Until nothing is left to try: what comes after it makes profiles only.
	"$CHESSCTL" explore --host --no-bpf --strategy maple --memo "$out/full.memo" --runs 1000 \
		--out "$out/traces" -- "${program[@]}" >"$out/said" 2>&1 </dev/null
	for ((rep = 0; rep < REPS; rep++)); do
		search recorded4 --strategy random --points all,races --runs 4
		search profile --strategy maple --memo "$out/full.memo"
		search recorded --strategy random --points all,races --runs "$RUNS"
		search active --strategy maple --memo "$out/$rep.memo" --runs "$RUNS"
		search forgetful --strategy maple --runs "$RUNS"
		search plain --strategy random --points all --runs "$RUNS"
	done
}

echo "KTAP version 1"
echo "1..2"
for program in "$PROGRAMS/server serve" "$BUILD/selftests/programs/correct/semaphore_pool"; do
	read -ra program <<<"$program"
	measure
	echo "# ${program[*]##*/}: ms a run, medians of $REPS searches"
	for kind in recorded4 profile recorded active forgetful plain; do
		echo "# $kind $(median $kind)"
	done
	[ "$(awk '{ print $1 }' "$out/times" | sort -u | wc -l)" = 6 ]
	result $? "${program[0]##*/}"
done
totals
