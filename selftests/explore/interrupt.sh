#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Interrupts searches of real programs with SIGINT and SIGKILL at random moments and goes
# on with explore --continue, until so many interrupts have hit: what comes out at the end
# must be what a search says that nobody interrupted, and the same traces. A search that is
# given a time ends soon after it, whatever its run does. Run inside the VM, as root, with the
# module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# TIMES     interrupts of the first program (default 20); a third of that of each other
# SEED      of the moments (default 1)
# Usage: interrupt.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
TIMES=${TIMES:-20}
PROGRAMS=$BUILD/selftests/programs
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"
. "$here/same.sh"

COUNTERS=$BUILD/selftests/races/counters
need "$CHESSCTL" "$PROGRAMS/wrong/abba" "$PROGRAMS/correct/semaphore_pool" "$COUNTERS"
own_folder interrupt
RANDOM=${SEED:-1}

# explore OPTION...: to be run in the background, as its process is chessctl then. Bash
# changes SHLVL there, and the environment is on the stacks in traces.
explore() { exec env -u SHLVL "$CHESSCTL" explore --host "$@"; }

# between FROM TO: a random number
between() { echo $(($1 + (RANDOM * 32768 + RANDOM) % ($2 - $1 + 1))); }

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

# moment: seconds until an interrupt. The first one of a search may come whenever that makes its
# failing runs smaller; later ones come early, or there would never be many.
moment()
{
	local end=$ms ms

	[ "${command[0]}" = --continue ] && [ "$end" -gt 950 ] && end=950
	ms=$(between 50 "$end")
	printf '%d.%03d' $((ms / 1000)) $((ms % 1000))
}

# lives NAME MS TIMES OPTION...: searches from their begin, and each on to its end, until enough
# interrupts have hit. A search takes MS without any. Each end is held against the whole's.
# At first the folder is there, or it would be gone when it stays empty.
lives()
{
	local name=$1 ms=$2 times=$3 hits=0 searches=0 kills=0 signal pid code
	local -a command

	shift 3
	bad=0
	while [ $bad = 0 ] && { [ $hits -lt "$times" ] || [ -n "$(ls -A "$out/cut")" ]; }; do
		command=(--no-bpf --json --out "$out/cut" "$@")
		if compgen -G "$out/cut/*.search" >/dev/null; then
			command=(--continue "$out/cut")
			[ $((hits % 3)) = 0 ] && command+=(--jobs 2)
		fi
		explore "${command[@]}" >"$out/answer" 2>"$out/said" </dev/null &
		pid=$!
		signal=INT
		[ $((RANDOM % 2)) = 0 ] && signal=KILL
		if [ $hits -lt "$times" ]; then
			sleep "$(moment)"
			kill -$signal $pid 2>/dev/null
		fi
		{ wait $pid; } 2>/dev/null
		code=$?
		# 130: before chessctl took notice of signals.
		if [ $code = 137 ] || [ $code = 130 ] || grep -q '"continue":"' "$out/answer"; then
			hits=$((hits + 1))
			[ $code = 137 ] && kills=$((kills + 1))
			continue
		fi
		searches=$((searches + 1))
		same_search "$out/whole.json" "$out/whole" "$whole" "$out/answer" "$out/cut" $code ||
			bad=1
		rm -rf "${out:?}/cut"/*
	done
	echo "# $name: $hits interrupts, $kills of them SIGKILL, in $searches searches"
	result $bad "$name goes on after each interrupt"
}

# searched NAME TIMES OPTION...: the whole, then its lives
searched()
{
	local name=$1 times=$2 start

	shift 2
	start=$(milliseconds)
	mkdir "$out/whole" "$out/cut"
	explore --no-bpf --json --out "$out/whole" "$@" >"$out/whole.json" 2>"$out/said" </dev/null &
	wait $!
	whole=$?
	lives "$name" $(($(milliseconds) - start)) "$times" "$@"
	rm -rf "$out/whole" "$out/cut"
}

# Without job control what is in the background ignores SIGINT.
set -m
echo "KTAP version 1"
echo "1..6"
searched semaphore_pool "$TIMES" --bound 1 -- "$PROGRAMS/correct/semaphore_pool"
searched abba $((TIMES / 3)) --bound 1 --keep-going -- "$PROGRAMS/wrong/abba"
# Tasks are held at accesses first, then the search begins anew with points there.
searched races $((TIMES / 3)) --bound 2 --points sync,races -- "$COUNTERS" quiet
searched races_bugs $((TIMES / 3)) --bound 1 --keep-going --points sync,races -- "$COUNTERS" lost
# Points have numbers, which another library would have otherwise.
cp "$(ldd "$COUNTERS" | awk '/libc\.so/ { print $3 }')" "$out/code.so" && mkdir "$out/cut"
"$CHESSCTL" explore --host --no-bpf --out "$out/cut" --runs 2 --points sync,races --code PROGRAM \
	--code "$out/code.so:rand" -- "$COUNTERS" quiet >"$out/said" 2>&1 </dev/null
[ $? = 4 ] && echo >>"$out/code.so" &&
	"$CHESSCTL" explore --host --continue "$out/cut" >"$out/said" 2>&1 </dev/null
[ $? = 2 ] && grep -q "the code of '.*/code.so' has changed since the search of" "$out/said"
result $? code_that_has_changed_is_refused
# A run that goes round without a point has 60 s, and is tried more than once.
start=$(milliseconds)
"$CHESSCTL" explore --host --no-bpf --time 1 --out "$out/cut" -- \
	/bin/sh -c 'while :; do :; done' >"$out/said" 2>&1 </dev/null
[ $? = 4 ] && grep -q 'the time was over while a run was in progress' "$out/said" &&
	[ $(($(milliseconds) - start)) -lt 50000 ]
result $? a_run_in_progress_ends_with_the_time
totals
