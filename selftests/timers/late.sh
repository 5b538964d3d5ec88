#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Time-outs that are kept from passing early, by --early-max and --watchdog: what is short still
# orders nothing, what is long fails only if something hangs, and both pass at their time. Traces
# replay with the setting they have. Run inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build); TIMES  replays of each trace (default 20)
# Usage: late.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
cd "$(dirname "$0")/../.." || exit 1
TIMES=${TIMES:-20}
. selftests/expect.sh

suite timers
late=$PROGRAMS/late

# search CODE VERDICT WHAT OPTION...
search()
{
	local code=$1 verdict=$2 what=$3

	shift 3
	chessctl "$code" explore --host --no-bpf --json --bound 1 --out "$out/$what" "$@" -- \
		"$late" "$what"
	is verdict "$verdict"
}

# found NAME VERDICT WHAT OPTION...: one preemption, that a time-out passes early
found()
{
	local name=$1

	bad=0
	search 1 "$2" "$3" --points all --strategy icb "${@:4}"
	is preemptions 1
	found_replays "$TIMES"
	result $bad "$name"
}

# ok NAME WHAT OPTION...
ok()
{
	local name=$1

	bad=0
	search 0 ok "$2" "${@:3}"
	is complete true
	result $bad "$name"
}

# says TEXT: the certificate of the search has it
says()
{
	grep -q "$1" "$out/json" || bad=1
}

echo "KTAP version 1"
echo "1..14"
found "a sleep of 10 ms ends early" assert nap
found "it does so beside a limit of 5 s that does not" assert nap --early-max 1
bad=0
for trace in "$out"/nap/*.trace; do :; done
grep -q '^early-max 1000$' "$trace" || bad=1
grep -q '^late-programs' "$trace" && bad=1
result $bad "the trace has the setting"
ok "neither passes early where 5 ms are the most" nap --early-max 0.005
found "a limit of 5 s passes early" assert limit
ok "it does not where a second is the most" limit --early-max 1
says '"early_max":1.0,"watchdog":null'
says '"watchdog_runs":[1-9]'
ok "nor where the program is named" limit --watchdog elsewhere --watchdog "/usr/bin/late"
says '"early_max":null,"watchdog":"elsewhere,late"'
found "another program's name changes nothing" assert limit --watchdog latest
found "a timer 3 s ahead goes off early" assert alarm
ok "it does not where a second is the most" alarm --early-max 1
ok "nor where the program is named" alarm --watchdog late
found "its ticks of 1 ms after that do" assert tick --early-max 1
# Yields have too many schedules. Did no time pass, each would be a livelock.
bad=0
search 4 incomplete spin --early-max 0.001 --runs 10
result $bad "time passes at yields for what does not pass early"
bad=0
"$CHESSCTL" explore --host --no-bpf --bound 1 --early-max 1 --watchdog late --out "$out/named" -- \
	"$late" limit >"$out/text" 2>&1 </dev/null || bad=1
grep -q '^ok: .*; time limits of processes and for children, deadlines further away than 1 s, deadlines of late did not pass early' "$out/text" ||
	bad=1
result $bad "the line that says ok says so"
totals
