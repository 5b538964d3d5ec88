#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# chessctl attach and detach as people use them, on a service that is running. Run inside
# the VM, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# Usage: attach.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
# shellcheck source=selftests/attach/suite.sh
. "$here/suite.sh"

need "$CHESSCTL" "$BUILD/selftests/attach/serve"
own_folder attach

attach() { "$CHESSCTL" attach "$@" >"$out/answer" 2>"$out/said" </dev/null; }

# until_status WORDS: status says so; for a minute
until_status()
{
	local i

	for ((i = 0; i < 300; i++)); do
		"$CHESSCTL" status --no-bpf | grep -q "$1" && return
		sleep 0.2
	done
	echo "# status never said '$1'"
}

serve()
{
	coproc service { exec "$BUILD/selftests/attach/serve"; }
	# shellcheck disable=SC2154 # set by coproc
	read -r pid <&"${service[0]}"
}

# unharmed: the service ends, and says that it noticed nothing
unharmed()
{
	# shellcheck disable=SC2154 # set by coproc
	local in=${service[1]} from=${service[0]} shell=$service_PID

	exec {in}>&-
	cat <&"$from" >>"$out/said"
	wait "$shell"
}

echo "KTAP version 1"
echo "1..13"

serve
attach "$pid" --record "$out/trace" --for 1
result $? "a second of the service is recorded"
says "the time is up" && [ -s "$out/trace" ]
result $? "it is said why it ended, and there is a trace"
"$CHESSCTL" show "$out/trace" >"$out/answer" 2>"$out/said" && says ", blocks"
result $? "the trace can be shown"
"$CHESSCTL" replay "$out/trace" >"$out/answer" 2>"$out/said"
[ $? = 2 ] && says "not replayed"
result $? "and not replayed"

"$CHESSCTL" attach "$pid" --perturb=7 --json >"$out/answer" 2>"$out/said" &
owner=$!
until_status "run 2,"
"$CHESSCTL" detach "$pid"
wait $owner
[ "$(number seed)" = 7 ] && [ "$(number runs)" -gt 1 ] && [ "$(number preemptions)" -gt 0 ]
result $? "it is perturbed, run after run"

"$CHESSCTL" attach "$pid" --perturb --policy pct >"$out/answer" 2>"$out/said" &
owner=$!
until_status "attached to process $pid"
attach "$pid" --record "$out/second"
[ $? = 3 ] && says "under control already" && [ ! -e "$out/second" ]
result $? "it is not taken twice"
"$CHESSCTL" detach "$pid" 2>"$out/said"
result $? "detach has its owner let go"
wait $owner && says "was asked to" && says "seeds* [1-9]" && no_groups
result $? "the owner says so, and names the seed it took"

"$CHESSCTL" attach "$pid" --perturb >"$out/answer" 2>"$out/said" &
owner=$!
until_status "attached to process $pid"
kill -STOP $owner
for ((i = 0; i < 100; i++)); do
	"$CHESSCTL" status --no-bpf | grep -q "  running" || break
	sleep 0.1
done
[ $i -lt 100 ]
result $? "an owner that is stopped loses control"
kill -CONT $owner
wait $owner
[ $? = 4 ] && says "did not run for some seconds"
result $? "and says so when it goes on"

unharmed
result $? "the service noticed nothing of all that"

attach "$pid" --record "$out/gone"
[ $? = 2 ] && says "there is no process $pid"
result $? "when it is gone that is said"
attach 1 --observe --perturb
[ $? = 2 ] && says "only looks" && no_groups
result $? "a mode that makes no sense is refused"
totals
