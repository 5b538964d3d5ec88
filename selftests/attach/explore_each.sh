#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# chessctl attach --explore --each: a search over a service that goes on living. Run
# inside the VM, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# RUN_TIMEOUT  seconds of the run that never ends; its four commands begin in them (default 5)
# Usage: explore_each.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
# shellcheck source=selftests/attach/suite.sh
. "$here/suite.sh"
programs=$BUILD/selftests/attach

need "$CHESSCTL" "$programs/deadlock_service" "$programs/deadlock_client"
own_folder each
trap 'kill -9 $pid 2>/dev/null; rm -rf "$out"' EXIT
socket=$out/socket

# explore COMMAND [OPTION...]
explore()
{
	"$CHESSCTL" attach "$pid" --explore --each "$@" --out "$out/traces" \
		>"$out/answer" 2>"$out/said" </dev/null
}

serve()
{
	rm -f "$socket"
	"$programs/deadlock_service" "$socket" &
	pid=$!
	until [ -S "$socket" ]; do sleep 0.05; done
}

# A command that asks for all of this at a time.
asks() { echo "exec $programs/deadlock_client $socket $*"; }

# A command that goes well twice and then does something else: the first time it is tried
# with the service free, so that is the second of several runs.
later()
{
	echo "$programs/deadlock_client $socket 'transfer 2' && echo >>$out/times &&" \
	     "{ [ \$(wc -l <$out/times) -lt 3 ] || $1; }"
}

answers() { timeout 5 "$programs/deadlock_client" "$socket" work; }

echo "KTAP version 1"
echo "1..20"

serve
explore "$(asks "'transfer 0' 'transfer 1'")" --bound 2
[ $? = 1 ] && says "T1 waits for T2, T2 for T1" && says "in transfer() at\|transfer() at deadlock_service.c"
result $? "a deadlock that two requests reach is found from a healthy start"
says "^  *1 preemption, 4 tasks"
result $? "with one preemption, which is the fewest"
trace=$(ls "$out"/traces/*deadlock*.trace)
"$CHESSCTL" show "$trace" >"$out/answer" 2>"$out/said" && says "T1 waits for T2, T2 for T1"
result $? "there is a trace, and it can be shown"
no_groups && kill -0 "$pid"
result $? "the service is free again"
kill -9 "$pid"

serve
# The first thread takes all three requests, as it never blocks before; then the three
# others have been woken: 3! orders.
explore "$(asks "'transfer 2' work 'transfer 0'")" --bound 0 --json
[ $? = 0 ] && says '"runs": *6' && says '"retries": *0,'
result $? "requests without a bug: complete, 6 runs"
first=$(grep -v seconds "$out/answer")
explore "$(asks "'transfer 2' work 'transfer 0'")" --bound 0 --json
[ "$(grep -v seconds "$out/answer")" = "$first" ]
result $? "the same search again comes to the same"
answers && no_groups
result $? "the service answers afterwards"

# Killed at other moments each time; the command goes with it.
for ms in 1 2 3 4 5 6; do
	timeout -s KILL 0.$ms "$CHESSCTL" attach "$pid" --explore --out "$out/traces" \
		--each "$(asks "'transfer 2' work")" >/dev/null 2>&1
	answers || break
done
[ $ms = 6 ] && answers && no_groups
result $? "when chessctl is killed the service goes on"

explore "$(later false)" --bound 0 --json
[ $? = 1 ] && says '"verdict": *"exit"' && says '"runs": *2'
result $? "a command that fails in a run is a bug"
"$CHESSCTL" show "$out"/traces/*exit*.trace >"$out/answer" 2>"$out/said" &&
	says "the command that asked for it ended with exit status 1"
result $? "of the command, its trace says"

# A process that has both its transfers between their mutexes and one thread that polls.
stuck="{ $programs/deadlock_client $socket hold poll &&"
stuck="$stuck $programs/deadlock_client $socket 'transfer 0' 'transfer 1' & sleep 0.2;"
stuck="$stuck $programs/deadlock_client $socket halfway go; wait; }"
rm "$out/times"
explore "$(later "$stuck")" --bound 0 --run-timeout "${RUN_TIMEOUT:-5}"
[ $? = 1 ] && says "^deadlock of some tasks, while others continue" &&
	says "^  T[12] waits for T[12], T[12] for T[12]"
result $? "a deadlock beside a thread that never rests is seen from the record"
"$CHESSCTL" show "$(ls "$out"/traces/*-deadlock-*.trace | tail -1)" >"$out/answer" 2>"$out/said" &&
	says "T1 has it since lock account"
result $? "with the place where each lock was taken"
kill -9 "$pid"
serve

"$CHESSCTL" attach "$pid" --explore >"$out/answer" 2>"$out/said"
[ $? = 2 ] && says "give it with --each"
result $? "without a command it is said what is missing"
explore "no_such_command --at all"
[ $? = 2 ] && says "was not found"
result $? "a command that is not there is named"
explore "exit 3"
[ $? = 2 ] && says "fails with process $pid free"
result $? "so is one that fails by itself"
explore "sleep 9" --run-timeout 0.5
[ $? = 2 ] && says "did not return in time"
result $? "and one that does not return"

rm "$out/times"
explore "$(later "kill $pid")" --bound 0
[ $? = 4 ] && says "killed by signal 15"
result $? "a service that ends in between is told of"
serve
rm "$out/times"
explore "$(later "kill -SEGV $pid")" --bound 0
[ $? = 1 ] && says "^crash"
result $? "one that crashes is a bug"
# The thread that takes the signal runs late: it has the smallest share of the processor.
serve
rm "$out/times"
slow="timeout 3 bash -c 'while :; do :; done' >/dev/null 2>&1 &"
slow="$slow for t in /proc/$pid/task/*; do chrt --idle --pid 0 \${t##*/}; done;"
explore "$(later "{ $slow kill -SEGV $pid; }")" --bound 0
[ $? = 1 ] && says "^crash"
result $? "also where its thread is late to take the signal"

bash -c 'while :; do :; done' &
pid=$!
explore true --run-timeout 1
[ $? = 4 ] && says "did not come to rest" && kill -0 $pid && no_groups
result $? "a process that is never at rest is not searched, and goes on"
totals
