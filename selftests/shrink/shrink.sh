#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Holds chessctl shrink against programs/wrong/: a failing schedule full of needless
# preemptions (worsen.c) must become one with as many as the program's comment expects,
# which is the least there is, and that must replay. Run inside the VM, as root, with
# the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# TIMES     replays per trace (default 100)
# Usage: shrink.sh [NAME...]; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
TIMES=${TIMES:-100}
PROGRAMS=$BUILD/selftests/programs/wrong
WORSEN=$BUILD/selftests/shrink/worsen
NEEDLESS=2		# preemptions more than the program needs
# shellcheck disable=SC2034 # expect.sh reads it: seconds one chessctl may take
LIMIT=300
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"
# shellcheck source=selftests/json.sh
. "$here/../json.sh"
# shellcheck source=selftests/expect.sh
. "$here/../expect.sh"

need "$CHESSCTL" "$WORSEN" "$PROGRAMS/abba"
own_folder shrink

# shrinks NAME: a bad trace becomes the best one
shrinks()
{
	local verdict preemptions became

	expect "$here/../programs/wrong/$1.c"
	verdict=${expected[verdict]} preemptions=${expected[preemptions]}
	bad=0
	if ! "$WORSEN" "$out/$1.trace" "$verdict" $((preemptions + NEEDLESS)) 1 \
			"$PROGRAMS/$1" >"$out/had" 2>"$out/said"; then
		result 1 "a bad trace of $1 is made"
		return
	fi
	chessctl 1 shrink --host --no-bpf --json --times "$TIMES" --out "$out/small" "$out/$1.trace"
	is verdict "$verdict"
	is preemptions "$preemptions"
	is identical "$TIMES"
	is fewest true
	is trace "$out/small/$1-$verdict-shrunk.trace"
	look preemptions
	became=$value
	look runs
	echo "# $1: $(cat "$out/had") preemptions became $became in $value runs"
	result $bad "$1 shrinks"
}

refused()
{
	local code=$1 sentence=$2 name=$3

	shift 3
	bad=0
	timeout -k 5 100 "$CHESSCTL" shrink --host "$@" >"$out/answer" 2>"$out/said" </dev/null
	same "exit code" "$code" $?
	cat "$out/answer" >>"$out/said"
	grep -qF -- "$sentence" "$out/said" || bad=1
	result $bad "$name"
}

programs=("$@")
[ $# -gt 0 ] || programs=(one_condvar check_then_act sem_trywait timeout_handoff
			  use_after_destroy partial_deadlock)
echo "KTAP version 1"
echo "1..$((${#programs[@]} + ($# ? 0 : 5)))"
for name in "${programs[@]}"; do
	shrinks "$name"
done

if [ $# -eq 0 ]; then
	trace=$out/small/one_condvar-deadlock-shrunk.trace
	refused 4 "diverged" "another program does not follow the trace" --out "$out/no.trace" \
		"$trace" -- "$PROGRAMS/check_then_act"
	bad=0
	[ -e "$out/no.trace" ] && bad=1
	result $bad "a trace that diverged leaves nothing behind"
	refused 1 "3 of 3 replays of it identical" "what is small stays so" \
		--times 3 --out "$out/again.trace" "$trace"
	bad=0
	timeout -s INT -k 20 10 "$CHESSCTL" shrink --host --no-bpf --times 1000000 \
		--out "$out/early.trace" "$trace" >"$out/said" 2>&1 </dev/null
	# timeout says 124 whatever the command said.
	same "exit code" 124 $?
	grep -q "incomplete.*: interrupted" "$out/said" || bad=1
	"$CHESSCTL" show "$out/early.trace" >/dev/null || bad=1
	result $bad "an interrupt leaves the trace that was found"
	"$CHESSCTL" run --host --record "$out/fine.trace" -- "$PROGRAMS/abba" >/dev/null 2>&1
	refused 2 "there is no bug to keep" "a run without a bug is refused" "$out/fine.trace"
fi
totals
