#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Holds explore --jobs 2 against --jobs 1 on real programs: the same verdict, runs and
# traces, so the same preemptions; and each of the two groups has a processor of its own.
# Run inside a VM with two processors, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# Usage: jobs.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
PROGRAMS=$BUILD/selftests/programs
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"
. "$here/same.sh"

need "$CHESSCTL" "$PROGRAMS/wrong/abba" "$PROGRAMS/correct/semaphore_pool"
[ "$(nproc)" -ge 2 ] || skip_all "two processors are needed"
own_folder jobs

# compared NAME OPTION...: with one job and with two
compared()
{
	local name=$1 jobs
	local -a codes

	shift
	for jobs in 1 2; do
		mkdir -p "$out/$jobs"
		timeout -k 5 120 "$CHESSCTL" explore --host --no-bpf --json --jobs $jobs \
			--out "$out/$jobs" "$@" >"$out/$jobs.json" 2>"$out/said" </dev/null
		codes[jobs]=$?
		rm -f "$out/$jobs"/*.search
		sed -i '/"continue":/d' "$out/$jobs.json"
	done
	same_search "$out/1.json" "$out/1" "${codes[1]}" "$out/2.json" "$out/2" "${codes[2]}"
	result $? "$name"
	rm -rf "$out/1" "$out/2"
}

# The session's own group waits; of the others each has another processor.
own_processors()
{
	local groups=

	"$CHESSCTL" explore --host --jobs 2 --bound 2 --out "$out/cpus" \
		-- "$PROGRAMS/correct/semaphore_pool" >"$out/said" 2>&1 </dev/null &
	for _ in $(seq 100); do
		groups=$("$CHESSCTL" status --no-bpf --json | tr -d ' \n' |
			grep -oE '"cpu":[0-9]+,"token":[^,]*,"runs":[1-9]' | grep -oE '^"cpu":[0-9]+')
		[ "$(wc -l <<<"$groups")" = 2 ] && break
		sleep 0.05
	done
	kill -INT %1
	wait
	echo "# ${groups//$'\n'/ }"
	[ "$(sort -u <<<"$groups" | wc -l)" = 2 ]
	result $? own_processors
}

set -m
echo "KTAP version 1"
echo "1..5"
compared a_search_to_its_end --bound 1 -- "$PROGRAMS/correct/semaphore_pool"
compared a_search_to_its_first_bug -- "$PROGRAMS/wrong/abba"
compared all_bugs --bound 1 --keep-going -- "$PROGRAMS/wrong/abba"
compared a_strategy_of_chance --strategy pos --runs 20 --keep-going --seed 5 \
	-- "$PROGRAMS/wrong/check_then_act"
own_processors
totals
