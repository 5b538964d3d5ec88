#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Holds chessctl step against programs/wrong/: a deadlock chosen by hand, undone, saved and
# replayed; another turn at a decision of a failing trace; what delta names against the report of
# explore; input that is no command. Run inside the VM, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# TIMES     replays of a trace that was saved (default 100)
# ALL       y: delta for each program of wrong/
# Usage: step.sh [NAME...]: delta for these only; KTAP on stdout; exit 0 passed, 1 failed,
# 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
TIMES=${TIMES:-100}
ALL=${ALL:-}
PROGRAMS=$BUILD/selftests/programs/wrong
WORSEN=$BUILD/selftests/shrink/worsen
ABBA=$PROGRAMS/abba
# shellcheck disable=SC2034 # expect.sh reads it: seconds one chessctl may take
LIMIT=300
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"
# shellcheck source=selftests/json.sh
. "$here/../json.sh"
# shellcheck source=selftests/expect.sh
. "$here/../expect.sh"

need "$CHESSCTL" "$ABBA" "$WORSEN"
own_folder step
near "$ABBA"

# step CODE OPERAND... <COMMANDS: what it prints goes to $out/said, stderr to $out/err
step()
{
	local code=$1

	shift
	timeout -k 5 "$LIMIT" "$CHESSCTL" step --host --no-bpf --out "$out/saved" "$@" \
		>"$out/said" 2>"$out/err"
	same "exit code of step" "$code" $?
}

# has PATTERN...: a line of what step printed
has()
{
	local pattern

	for pattern; do
		grep -Eq -- "$pattern" "$out/said" || { echo "# no '$pattern'"; bad=1; }
	done
}

# answer COMMAND: what it printed, without the lines of other commands
answer()
{
	awk -v want="> $1" '$0 == want { on = 1; next } /^> / { on = 0 } on' "$out/said"
}

# one_sentence PATTERN: that is all there is on stderr
one_sentence()
{
	[ "$(wc -l <"$out/err")" = 1 ] && grep -Eq -- "$1" "$out/err" || {
		sed 's/^/# /' "$out/err"
		echo "# not one sentence with '$1'"
		bad=1
	}
}

# The decisions of a report, or of delta, that were preemptions
preemptions_of()
{
	grep -E '^  (T[0-9]+ +(was about to|ran instead:|timed out in:|woke up in:|could run:|would have)|the deadline|a timer|no task could)' "$1"
}

by_hand()
{
	bad=0
	step 1 -- "$ABBA" <<-'END'
		until object b
		run T1
		until T1 blocks
		why T1
		until end
		why T0
		save by-hand.trace
	END
	has '^event 15: T1 in place of T0; .* with 1 preemption: deadlock$' \
		'^  T0 waits for T1, T1 for T0$' 'blocked; T0 has it since event 14$' \
		'^saved: .*/saved/by-hand.trace; chessctl replay follows it$'
	# Who has it, before the end and at the end.
	answer "why T1" | grep -q 'T0 has it since lock a .*main() at abba.c:32' || bad=1
	answer "why T0" | grep -q 'T1 has it since lock b .*pay_back() at abba.c:18' || bad=1
	result $bad "a deadlock is chosen by hand"

	trace=$out/saved/by-hand.trace
	expected[verdict]=deadlock
	replays "what was saved"
}

# The same choices, with others made and undone in between, are the same run.
undo()
{
	bad=0
	step 1 -- "$ABBA" <<-'END'
		next
		run T1
		list
		where
		save one.trace
	END
	answer list >"$out/list"
	answer where >"$out/where"
	step 1 -- "$ABBA" <<-'END'
		run T1
		until end
		undo 2
		next
		next
		undo
		back
		next
		run T1
		run T0
		undo
		list
		where
		save two.trace
	END
	answer list | cmp - "$out/list" >&2 || bad=1
	answer where | cmp - "$out/where" >&2 || bad=1
	"$CHESSCTL" show --format json "$out/saved/one.trace" >"$out/json" && answer_from "$out/json"
	look record_hash
	one=$value
	"$CHESSCTL" show --format json "$out/saved/two.trace" >"$out/json" && answer_from "$out/json"
	is record_hash "$one"
	[ -n "$one" ] || bad=1
	result $bad "what was undone leaves nothing behind"
}

# A failing trace, and another turn at one of its decisions
what_if()
{
	bad=0
	chessctl 1 explore --host --no-bpf --json --out "$out/traces" -- "$ABBA"
	look trace
	trace=$value
	step 0 "$trace" <<-'END'
		verdict
		until event 15
		try
		try T0
		verdict
		run T0
		until end
	END
	answer verdict | grep -q 'with 1 preemption: deadlock$' || bad=1
	same "all turns" $'    T0: ok\n  > T1: deadlock' "$(answer try)"
	same "one turn" "    T0: ok" "$(answer 'try T0')"
	# A try changes nothing.
	[ "$(answer verdict | grep -c ': deadlock$')" = 2 ] || bad=1
	has '^event 15: T0 in place of T1; .* with 0 preemptions: ok$'
	result $bad "another turn at a decision of a failing trace"
}

until_places()
{
	bad=0
	step 0 -- "$ABBA" <<-'END'
		until event 15
		until T0 blocks
		until function pay_back
		until object a
		until end
	END
	answer "until T0 blocks" | grep -q '^event 19: T0 blocks$' || bad=1
	answer "until event 15" | grep -q '^event 15: T0 is about to lock b$' || bad=1
	answer "until function pay_back" | grep -q '> T1 .*lock b .*pay_back() at abba.c:18$' || bad=1
	answer "until object a" | grep -q '> T1 .*lock a .*pay_back() at abba.c:19$' || bad=1
	answer "until end" | grep -q '^the run ends after event 30, with 0 preemptions: ok$' ||
		bad=1
	result $bad "places in a run"
}

# What is no command says so in one sentence, and the rest is as if it had not been there.
bad_input()
{
	local long
	long=$(printf '%0100000d' 0)

	bad=0
	step 1 -- "$ABBA" <<-'END'
		until event 15
		run T1
		list
		where
	END
	answer list >"$out/list"
	answer where >"$out/where"
	step 2 -- "$ABBA" < <(printf '%s\n' frobnicate "until event 15" "run T9" "run T99999" run\ 1 \
		"until event 999" "until event 2" "until event x" "until function nowhere" \
		"until object nothing" "until T7 blocks" "$long" "run T1 T0" "back 0" "undo 99" \
		"why" "why T8" "run late" "# a comment" "" "save /" "delta now" "run T1" list
		printf 'wh\0ere\nwhere')
	answer list | cmp - "$out/list" >&2 || bad=1
	answer where | cmp - "$out/where" >&2 || bad=1
	same "sentences" 20 "$(grep -c '^chessctl: ' "$out/err")"
	same "lines of stderr" 20 "$(wc -l <"$out/err")"
	result $bad "bad input gets a sentence each, and loses nothing"

	bad=0
	step 0 -- "$ABBA" </dev/null
	has '^event 14: T0 is about to lock a$'
	[ ! -s "$out/err" ] || bad=1
	[ ! -e "$out/empty" ] || bad=1
	result $bad "input that ends at once"
}

refusals()
{
	bad=0
	trace=$out/saved/by-hand.trace
	step 4 "$trace" -- "$PROGRAMS/check_then_act" </dev/null
	grep -q "the trace cannot be followed here" "$out/err" || bad=1
	has '^diverged'
	step 2 "$out/none.trace" </dev/null
	one_sentence none.trace
	step 2 -- "$out/none" </dev/null
	one_sentence none
	step 2 </dev/null
	one_sentence "neither a trace nor a program"
	step 2 --points sync,races -- "$ABBA" </dev/null
	one_sentence "which accesses race"
	step 2 -- "$ABBA" <<<"delta"
	one_sentence "does not fail"
	result $bad "traces and programs that cannot be used"
}

# delta_names NAME: the same preemptions as the report of what explore found
delta_names()
{
	local name=$1

	explore_wrong "$here/../programs/wrong/$name.c" "$PROGRAMS/$name"
	[ -f "$trace" ] || { result 1 "explore finds $name"; return; }
	"$CHESSCTL" show "$trace" >"$out/report"
	preemptions_of "$out/report" >"$out/want"
	step 1 "$trace" <<<$'delta\ntry\nsave small.trace'
	# Nor a warning that it did not repeat.
	grep -q WARNING "$out/err" && bad=1
	answer delta >"$out/delta"
	preemptions_of "$out/delta" | head -n "$(wc -l <"$out/want")" | diff "$out/want" - |
		sed 's/^/# /'
	[ "${PIPESTATUS[2]}" = 0 ] || bad=1
	same "preemptions of $name" "$(wc -l <"$out/want")" "$(preemptions_of "$out/delta" | wc -l)"
	# Its two orders, run here: one fails and one does not.
	if grep -q '^the critical pair' "$out/delta"; then
		answer try | grep -q ": ${expected[verdict]}$" || bad=1
		answer try | grep -Eq ': (ok|exit)$' || bad=1
	elif tail -n 1 "$out/want" | grep -q 'ran instead:'; then
		grep 'no two steps' "$out/delta" | sed 's/^/# /'
		bad=1
	fi
	chessctl 1 replay --host --json "$out/saved/small.trace"
	is verdict "${expected[verdict]}"
	result $bad "delta names the preemptions of $name"
}

# Needless preemptions go.
delta_worse()
{
	local name=$1

	expect "$here/../programs/wrong/$name.c"
	bad=0
	"$WORSEN" "$out/$name.trace" "${expected[verdict]}" $((expected[preemptions] + 2)) 1 \
		"$PROGRAMS/$name" >"$out/had" 2>"$out/said" || bad=1
	step 1 "$out/$name.trace" <<<$'verdict\ndelta\nundo 2\nverdict'
	[ ! -s "$out/err" ] || bad=1
	has "with $((expected[preemptions] + 2)) preemptions: ${expected[verdict]}" \
		'^the critical pair'
	same "preemptions left" "${expected[preemptions]}" \
		"$(answer delta | grep -Ec 'ran instead:|timed out in:')"
	[ "$(answer verdict | grep -c "with $((expected[preemptions] + 2)) preemptions")" = 2 ] ||
		bad=1
	result $bad "delta takes needless preemptions of $name away"
}

few=(abba check_then_act lost_signal sem_trywait timeout_handoff)
if [ $# -gt 0 ]; then
	names=("$@")
elif [ "$ALL" = y ]; then
	names=()
	for source in "$here"/../programs/wrong/*.c; do
		names+=("$(basename "$source" .c)")
	done
else
	names=("${few[@]}")
fi
echo "KTAP version 1"
echo "1..$((${#names[@]} + ($# ? 0 : 10)))"
if [ $# -eq 0 ]; then
	by_hand
	undo
	what_if
	until_places
	bad_input
	refusals
	delta_worse one_condvar
	delta_worse check_then_act
fi
for name in "${names[@]}"; do
	delta_names "$name"
done
totals
