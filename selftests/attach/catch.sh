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
# shellcheck source=selftests/attach/suite.sh
. "$here/suite.sh"
programs=$BUILD/selftests/attach

need "$CHESSCTL" "$programs/deadlock_service" "$programs/long_wait"
own_folder catch
trap 'kill -9 $pid $long $other $tree 2>/dev/null; rm -rf "$out"' EXIT
socket=$out/socket

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
echo "1..19"

"$programs/deadlock_service" "$socket" &
pid=$!
until [ -S "$socket" ]; do sleep 0.05; done

"$CHESSCTL" attach "$pid" --catch --for 1 >"$out/answer" 2>"$out/said"
[ $? = 0 ] && says "nothing was caught"
result $? "where nothing happens nothing is caught"

forget
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
	result skip "gdb can be attached" "no gdb"
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
forget
"$CHESSCTL" attach "$long" --catch --blocked 0.5 >"$out/answer" 2>"$out/said" &
owner=$!
until_says "gdb -p $long"
kill -TERM $owner
wait $owner
[ $? = 1 ] && [ $code = 0 ] && says "waits for mutex slow, which $long has"
result $? "so is a lock that somebody has for too long, and not before"

# catch_at PID ARGUMENT...: in the background, until it is ready; $owner is its number
catch_at()
{
	forget
	"$CHESSCTL" attach "$@" --catch >"$out/answer" 2>"$out/said" &
	owner=$!
	for ((i = 0; i < 300; i++)); do
		grep -q "is watched" "$out/said" && return
		sleep 0.1
	done
}

# let_go: of what was caught; $code is what the owner said
let_go()
{
	kill -TERM $owner
	wait $owner
	code=$?
}

kill -9 "$pid"
rm "$socket"
"$programs/deadlock_service" "$socket" &
pid=$!
"$programs/deadlock_service" "$out/other" &
other=$!
until [ -S "$socket" ] && [ -S "$out/other" ]; do sleep 0.05; done
programs_before=$("$programs/programs_count")

catch_at "$pid" --catch-at deadlock_service:work --for 2
"$programs/deadlock_service" "$out/other" work >"$out/work"
wait $owner && says "nothing was caught" && [ "$(cat "$out/work")" = "done" ]
result $? "a function that another process comes to is none of ours"
catch_at "$pid" --catch-at deadlock_service:work
ask hold
ask work &
client=$!
until_says "gdb -p $pid" && says "^REACHED deadlock_service:work at .*: $pid deadlock_servic, held .* ms later, now in "
result $? "one that a task comes to: it is said which task, when, how late and where it is"
"$programs/deadlock_service" "$socket" work >"$out/work" &
late=$!
sleep 1
[ ! -s "$out/work" ] && kill -0 $late
result $? "then no task goes on"
let_go
wait $client && wait $late && [ $code = 1 ] && [ "$(cat "$out/work")" = "done" ] && no_groups
result $? "when it is let go, both requests are answered"

catch_at "$pid" --catch-at "$(readlink -f "$programs/deadlock_service"):bank:transfer"
ask go
ask 'transfer 2' &
client=$!
until_says "gdb -p $pid" && thread=$(sed -n 's/^REACHED .*: \([0-9]*\) .*/\1/p' "$out/answer") &&
	[ -n "$thread" ] && [ "$thread" != "$pid" ] && [ -d "/proc/$pid/task/$thread" ]
result $? "a USDT probe, in a thread"
let_go
wait $client

bash -c '"$@"; true' sh "$programs/deadlock_service" "$out/tree" &
tree=$!
until [ -S "$out/tree" ]; do sleep 0.05; done
catch_at "$tree" --catch-at deadlock_service:work --tree --json
"$programs/deadlock_service" "$out/tree" work >/dev/null &
client=$!
for ((i = 0; i < 300; i++)); do
	grep -q "is held" "$out/said" && break
	sleep 0.1
done
let_go
wait $client
[ $code = 1 ] && says '"caught": *"reached"' && says '"held_after_ms"'
result $? "in a descendant"

# refused_at WORDS PLACE: with a sentence
refused_at()
{
	"$CHESSCTL" attach "$pid" --catch --catch-at "$2" >"$out/answer" 2>"$out/said"
	[ $? = 2 ] && says "$1" && [ "$(wc -l <"$out/said")" = 1 ]
}

refused_at "no code mapped from a file 'libz.so.1'" libz.so.1:inflate &&
	refused_at "no function withdraw" deadlock_service:withdraw
result $? "a file or a function that is not there"
refused_at "no USDT probe bank:deposit" deadlock_service:bank:deposit &&
	refused_at "no USDT probe shop:transfer" deadlock_service:shop:transfer &&
	refused_at "no USDT probe bank:transfer" libc.so.6:bank:transfer
result $? "a USDT probe that is not there"
"$programs/programs_count" wait "$programs_before" >"$out/said"
result $? "nothing is left behind"
totals
