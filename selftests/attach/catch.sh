#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# chessctl attach --catch: a process that is free until it is caught in something. Run
# inside the VM, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# Usage: catch.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
programs=$BUILD/selftests/attach
. "$here/../ktap.sh"

for tool in "$CHESSCTL" "$programs/deadlock_service" "$programs/long_wait"; do
	[ -x "$tool" ] || skip_all "no $tool; run make tests"
done

out=$(mktemp -d "${TMPDIR:-/tmp}/chess-catch.XXXXXX") || exit 1
trap 'kill -9 $pid $long 2>/dev/null; rm -rf "$out"' EXIT
# shellcheck disable=SC2034 # ktap.sh shows it
ktap_output=$out/said
socket=$out/socket

# says WORDS: in the answer or among the notes; what was said is shown where it fails
says() { cat "$out/answer" >>"$out/said"; grep -q -- "$1" "$out/said"; }

no_groups() { [ "$("$CHESSCTL" status)" = "no groups" ]; }

ask() { "$programs/deadlock_service" "$socket" "$@" >/dev/null; }

# until_says WORDS: for a minute
until_says()
{
	local i

	for ((i = 0; i < 300; i++)); do
		grep -q -- "$1" "$out/answer" && return
		sleep 0.2
	done
	return 1
}

echo "KTAP version 1"
echo "1..10"

"$programs/deadlock_service" "$socket" &
pid=$!
until [ -S "$socket" ]; do sleep 0.05; done

"$CHESSCTL" attach "$pid" --catch --for 1 >"$out/answer" 2>"$out/said"
[ $? = 0 ] && says "nothing was caught"
result $? "where nothing happens nothing is caught"

"$CHESSCTL" attach "$pid" --catch >"$out/answer" 2>"$out/said" &
owner=$!
ask hold
ask 'transfer 0' &
ask 'transfer 1' &
ask halfway
ask work
result $? "the service is free while it is watched"
ask go
until_says "gdb -p $pid"
result $? "it is held when it has deadlocked"
says "DEADLOCK of 2 tasks" && says "in transfer() at deadlock_service.c"
result $? "the cycle is named, and where it is"
says "^  T1 .* waits *mutex account" && says "^  T0 .* waits *accept"
result $? "and what each task waits in"
"$programs/deadlock_service" "$socket" work >"$out/work" &
client=$!
sleep 1
[ ! -s "$out/work" ] && kill -0 $client
result $? "nobody goes on, not even a thread that could"
if command -v gdb >/dev/null; then
	gdb -p "$pid" -batch -ex 'thread apply all bt' >"$out/said" 2>&1
	[ "$(grep -c 'in transfer ' "$out/said")" = 2 ]
	result $? "gdb can be attached, and finds both threads in transfer()"
else
	result 0 "gdb can be attached # SKIP no gdb"
fi
kill -TERM $owner
wait $owner
[ $? = 1 ] && says "let go of process $pid" && no_groups
result $? "it is let go on demand; the exit code says that something was caught"
wait $client && [ "$(cat "$out/work")" = "done" ]
result $? "the thread that could go on does so: the request is answered"

"$programs/long_wait" >/dev/null &
long=$!
"$CHESSCTL" attach "$long" --catch --blocked 0.5 --for 0.2 --json >"$out/answer" 2>"$out/said"
code=$?
"$CHESSCTL" attach "$long" --catch --blocked 0.5 >"$out/answer" 2>"$out/said" &
owner=$!
until_says "gdb -p $long"
kill -TERM $owner
wait $owner
[ $? = 1 ] && [ $code = 0 ] && says "waits for mutex slow, which $long has"
result $? "so is a lock that somebody has for too long, and not before"
totals
