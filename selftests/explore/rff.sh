#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Strategies rff and auto on real programs: both find the bugs of selftests/memo/paper.c and of a
# dozen of programs/wrong, the traces replay, one seed is one search, and what they covered is said
# and kept in one memo. Run inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build)
# TIMES  replays of a trace (default 100)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/expect.sh
. selftests/expect.sh
suite memo
TIMES=${TIMES:-100}
paper=$BUILD/selftests/memo/paper
bugs=(log_proc_sweep string_buffer circular_list bank_account mysql_log_miss)
wrong=(abba check_then_act lost_update lost_wakeup double_checked pipe_locks file_counter cond_if
	queue_order semaphores rwlock_upgrade commit_late)
quiet=("$BUILD/selftests/programs/correct/mutex_twice")
need "$paper"
near "$paper" "${quiet[0]}" "${wrong[@]/#/$BUILD/selftests/programs/wrong/}"

echo "KTAP version 1"
echo "1..$((2 * (${#bugs[@]} + ${#wrong[@]}) + 5))"

# found STRATEGY NAME VERDICT PROGRAM ARG..: it is, and the trace replays
found()
{
	local strategy=$1 name=$2 verdict=$3

	shift 3
	bad=0
	chessctl 1 explore --host --no-bpf --strategy "$strategy" --runs 400 --json \
		--out "$out/traces" -- "$@"
	is verdict "$verdict"
	look runs
	echo "# $strategy $name: $value runs"
	found_replays "$TIMES"
	result $bad "${strategy}_finds_$name"
}

for strategy in rff auto; do
	for bug in "${bugs[@]}"; do
		found $strategy "$bug" assert "$paper" "$bug"
	done
	for name in "${wrong[@]}"; do
		expect "selftests/programs/wrong/$name.c"
		found $strategy "$name" "${expected[verdict]}" \
			"$BUILD/selftests/programs/wrong/$name"
	done
done

# What a search of so many runs covers, with this seed: the numbers of pairs, plans and iRoots.
covered()
{
	"$CHESSCTL" explore --host --no-bpf --strategy rff --runs 40 --seed "$1" --json \
		--out "$out/traces" -- "$paper" mysql_log_miss other >"$out/json" 2>"$out/said" \
		</dev/null
	tr -d ' \n' <"$out/json" | grep -oE '"pairs":\{[^}]*\}|"iroots":\[[^]]*\]'
}

bad=0
first=$(covered 5)
[ -n "$first" ] || same "pairs in the JSON" yes no
same "another search with the seed" "$first" "$(covered 5)"
result $bad "one_seed_is_one_search"

bad=0
timeout -k 5 "$LIMIT" "$CHESSCTL" explore --host --no-bpf --strategy rff --runs 20 \
	--out "$out/traces" -- "${quiet[@]}" >"$out/said" 2>&1 </dev/null
grep -qE 'reads-from pairs: [1-9][0-9]* of [0-9]+ known' "$out/said" || same "pairs are said" yes no
result $bad "pairs_are_said"

bad=0
timeout -k 5 "$LIMIT" "$CHESSCTL" explore --host --no-bpf --strategy auto --out "$out/traces" \
	-- "${quiet[@]}" >"$out/said" 2>&1 </dev/null
same "exit code" 0 $?
grep -qE 'shares, as runs .*: icb [1-9]' "$out/said" || same "shares are said" yes no
grep -q '^ok' "$out/said" || same "it is ok" yes no
result $bad "auto_ends_with_the_bounded_search"

# What rff showed, maple does not try: with the pairs and more in the memo, it has less left.
bad=0
memo=$out/one.memo
timeout -k 5 "$LIMIT" "$CHESSCTL" explore --host --no-bpf --strategy rff --runs 60 --memo "$memo" \
	--out "$out/traces" -- "$paper" bank_account other >"$out/said" 2>&1 </dev/null
same "exit code" 4 $?
"$CHESSCTL" coverage "$memo" >"$out/said" 2>&1
same "exit code of coverage" 0 $?
chessctl 4 explore --host --no-bpf --strategy maple --memo "$memo" --json --out "$out/traces" \
	-- "$paper" bank_account other
grep -qE '"before": ?[1-9]' "$out/json" || same "iRoots that rff exposed" yes no
result $bad "rff_and_maple_share_a_memo"

# Of any other strategy the memo notes what it exposed.
bad=0
timeout -k 5 "$LIMIT" "$CHESSCTL" explore --host --no-bpf --strategy pct --runs 10 \
	--memo "$out/pct.memo" --out "$out/traces" -- "$paper" bank_account other \
	>"$out/said" 2>&1 </dev/null
same "exit code" 4 $?
grep -qE '[1-9][0-9]* iRoots exposed for the first time; 0 runs to expose one' "$out/said" ||
	same "a memo of pct" yes no
result $bad "other_strategies_are_noted"
totals
