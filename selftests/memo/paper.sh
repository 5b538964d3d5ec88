#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The measurements for the evaluation of Maple (OOPSLA'12, section 6) that can be remade: what
# paper.py makes docs/results-maple.md of ("make results-maple"). Run inside the VM, as root, with the
# module loaded.
#
# BUILD   build directory (default build)
# OUT     directory for what was measured (default CHESS_CHECK_OUT)
# TIME    seconds of a search, at most (default 30)
# RUNS    runs of a search, at most (default 300)
# SEEDS   searches with a strategy that uses chance (default 3)
# COVER   programs whose coverage is measured (default "mysql_log_miss server circular_list pbzip2")
# PARTS   of exposing, memo, coverage, overhead and window (default all)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/expect.sh
. selftests/expect.sh
suite memo
TIME=${TIME:-30}
RUNS=${RUNS:-300}
SEEDS=${SEEDS:-3}
COVER=${COVER:-mysql_log_miss server circular_list pbzip2}
PARTS=${PARTS:-exposing memo coverage overhead window}
OUT=${OUT:-${CHESS_CHECK_OUT:-$out}}
paper=$PROGRAMS/paper
bugs=(log_proc_sweep string_buffer circular_list bank_account mysql_log_miss)
need "$paper"
near "$paper" "$PROGRAMS/server"
read -ra parts <<<"$PARTS"

echo "KTAP version 1"
echo "1..${#parts[@]}"
for part in "${parts[@]}"; do
	echo "time $TIME runs $RUNS seeds $SEEDS" >"$OUT/budget.$part"
done

# search FILE LABEL OPTION...: a line "LABEL verdict runs seconds" to FILE
search()
{
	local file=$1 label=$2

	shift 2
	timeout -k 5 "$LIMIT" "$CHESSCTL" explore --host --no-bpf --json --out "$out/traces" \
		--time "$TIME" --runs "$RUNS" "$@" >"$out/json" 2>"$out/said" </dev/null
	answer_from "$out/json"
	look verdict
	local verdict=${value:-none}
	look runs
	local runs=${value:-0}
	look seconds
	echo "$label $verdict $runs ${value:-0}" >>"$OUT/$file"
	[ "$verdict" != none ]
}

# Table 2: runs and time to the bug, with the input that shows it.
exposing()
{
	local bug seed strategy bad=0

	: >"$OUT/exposing"
	for bug in "${bugs[@]}"; do
		for strategy in maple turns; do
			search exposing "$bug $strategy 0" --strategy $strategy -- "$paper" "$bug" ||
				bad=1
		done
		for strategy in pct rff auto; do
			for ((seed = 1; seed <= SEEDS; seed++)); do
				search exposing "$bug $strategy $seed" --strategy $strategy \
					--seed "$seed" -- "$paper" "$bug" || bad=1
			done
		done
	done
	return $bad
}

# Table 3: the same with a memo that the other input has filled.
memo()
{
	local bug bad=0

	: >"$OUT/memo"
	for bug in "${bugs[@]}"; do
		search memo "$bug other" --strategy maple --memo "$out/$bug.memo" \
			-- "$paper" "$bug" other || bad=1
		search memo "$bug memo" --strategy maple --memo "$out/$bug.memo" \
			-- "$paper" "$bug" || bad=1
		search memo "$bug alone" --strategy maple -- "$paper" "$bug" || bad=1
	done
	return $bad
}

# covering NAME PROGRAM...: memos of the same time with each strategy, as JSON
covering()
{
	local name=$1 strategy bad=0

	shift
	for strategy in maple rff auto pct random hold; do
		search coverage "$name $strategy" --strategy $strategy --keep-going \
			--memo "$out/$name.$strategy" -- "$@" || bad=1
		"$CHESSCTL" coverage --json "$out/$name.$strategy" \
			>"$OUT/coverage.$name.$strategy.json" || bad=1
	done
	search coverage "$name icb" --strategy icb --bound 2 --keep-going \
		--memo "$out/$name.icb" -- "$@" || bad=1
	"$CHESSCTL" coverage --json "$out/$name.icb" >"$OUT/coverage.$name.icb.json" || bad=1
	return $bad
}

# Section 6.3: which iRoots are exposed in the same time.
coverage()
{
	local bad=0 name names

	: >"$OUT/coverage"
	head -c 2000 /dev/zero | tr '\0' x >"$out/input"
	read -ra names <<<"$COVER"
	for name in "${names[@]}"; do
		case $name in
		server) covering server "$PROGRAMS/server" serve ;;
		pbzip2) [ ! -x /usr/bin/pbzip2 ] ||
			covering pbzip2 /usr/bin/pbzip2 -p2 -c -k "$out/input" ;;
		*) covering "$name" "$paper" "$name" other ;;
		esac || bad=1
	done
	return $bad
}

# Table 4: milliseconds of a run, alone and with the profiler and the active scheduler.
overhead()
{
	local bad=0 i begin

	: >"$OUT/overhead"
	head -c 2000 /dev/zero | tr '\0' x >"$out/input"
	for program in "$PROGRAMS/server serve" "$paper bank_account other" \
		"/usr/bin/pbzip2 -p2 -c -k $out/input"; do
		read -ra command <<<"$program"
		[ -x "${command[0]}" ] || continue
		name=${command[0]##*/}
		begin=$(date +%s%N)
		for ((i = 0; i < 20; i++)); do
			"${command[@]}" >/dev/null 2>&1
		done
		echo "$name native ok 20 $((($(date +%s%N) - begin) / 1000000))e-3" >>"$OUT/overhead"
		# Until nothing is left to try: the next search makes profiles only.
		RUNS=400 search overhead "$name first" --strategy maple --memo "$out/$name.full" \
			-- "${command[@]}" || bad=1
		search overhead "$name profile" --strategy maple --memo "$out/$name.full" \
			-- "${command[@]}" || bad=1
		RUNS=30 search overhead "$name active" --strategy maple -- "${command[@]}" || bad=1
	done
	return $bad
}

# The vulnerability window: what is exposed, and what finds the bugs, with smaller and larger ones.
window()
{
	local bug vw bad=0

	: >"$OUT/window"
	for vw in 3 10 30 100 300; do
		search window "all_serve $vw" --strategy maple --window $vw \
			--memo "$out/window.$vw" -- "$PROGRAMS/server" serve || bad=1
		"$CHESSCTL" coverage --json "$out/window.$vw" >"$OUT/window.$vw.json" || bad=1
		for bug in "${bugs[@]}"; do
			search window "$bug $vw" --strategy maple --window $vw -- "$paper" "$bug" ||
				bad=1
		done
	done
	return $bad
}

for part in "${parts[@]}"; do
	"$part"
	result $? "$part"
done
totals
