#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# attach --observe: a healthy service is looked at again and again and never blamed nor
# disturbed, a deadlock of some of its threads is named within a second and not before it
# is there, what cannot be attached to is refused with a sentence, and nothing stays in the
# kernel. Run inside a VM, as root; the module is not needed.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# TIMES     attach and detach so often (default 20)
# Usage: observe.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
# shellcheck source=selftests/attach/suite.sh
. "$here/suite.sh"
TIMES=${TIMES:-20}
SERVICE=$BUILD/selftests/attach/deadlock_service
COUNT=$BUILD/selftests/attach/programs_count
WAITS=$BUILD/selftests/attach/waits

need "$CHESSCTL" "$SERVICE" "$COUNT" "$WAITS"
own_folder observe
chmod 755 "$out"
trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$out"' EXIT
socket=$out/socket

# until_line FILE TEXT
until_line()
{
	local tries=0

	until grep -q "$2" "$1" 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] || return 1
		sleep 0.1
	done
}

ask() { timeout 20 "$SERVICE" "$socket" "$1" >/dev/null; }

# start_service [NAME=VALUE...]
start_service()
{
	env "$@" "$SERVICE" "$socket" &
	service=$!
	until [ -S "$socket" ] && ask work 2>/dev/null; do sleep 0.1; done
}

stop_service()
{
	kill $service
	wait $service 2>/dev/null
	rm -f "$socket"
}

# observe ARGUMENT...: in the background; $observer is its number
observe()
{
	: >"$out/stdout"
	: >"$out/said"
	"$CHESSCTL" attach "$@" >"$out/stdout" 2>"$out/said" &
	observer=$!
	until_line "$out/said" 'is watched'
}

# value KEY FILE: the first number of that name in a JSON object
value() { sed -n "s/^ *\"$1\":\([0-9]*\),\{0,1\}$/\1/p" "$2" | head -n 1; }

# Requests without a pause; one without an answer is a line in $out/failed.
load()
{
	local i=0

	while :; do
		i=$((i + 1))
		ask "transfer $((i % 3))" || echo "transfer $i" >>"$out/failed"
		ask work || echo "work $i" >>"$out/failed"
	done
}

echo "KTAP version 1"
# 3 of a healthy service, 3 of each of 2 deadlocks, 3 that are none, 2 of processes,
# 1 that comes later, 1 on a terminal, 5 refusals, 1 leftovers
echo "1..22"
before=$("$COUNT")

# --- a healthy service

start_service
: >"$out/failed"
load &
load=$!
alarms=0
for i in $(seq "$TIMES"); do
	observe $service --json --for "0.$((RANDOM % 6 + 1))"
	# Every second time it is interrupted at some moment, every fourth time killed.
	if [ $((i % 4)) = 3 ]; then
		kill -KILL $observer
	elif [ $((i % 2)) = 1 ]; then
		sleep 0.$((RANDOM % 6)); kill -INT $observer 2>/dev/null
	fi
	wait $observer
	code=$?
	[ $code = 0 ] || [ $((i % 4)) = 3 ] || alarms=$((alarms + 1))
done
kill $load
wait $load 2>/dev/null
[ $alarms = 0 ]
result $? "a healthy service is looked at $TIMES times and no deadlock is said"
[ ! -s "$out/failed" ] && kill -0 $service
result $? "it answers every request meanwhile"
observe $service --json
stop_service
wait $observer
[ $? = 0 ] && grep -q '"end":"process"' "$out/stdout" && [ "$(grep -c '"waker":' "$out/stdout")" = 4 ]
result $? "its end is the end, and its four tasks are shown as they were"

# --- a deadlock, of two and of three

# deadlock N: of N transfers
deadlock()
{
	local i formed seen started line

	start_service "RING=$1"
	observe $service --json
	ask hold
	for i in $(seq 0 $(($1 - 1))); do ask "transfer $i" & done
	ask halfway
	ask work
	# It is held up long enough for several looks, each with one lock taken.
	sleep 1
	grep -q 'deadlock of' "$out/said"
	[ $? = 1 ]
	result $? "no deadlock is said before there is one, of $1"
	ask go
	until_line "$out/said" 'deadlock of'
	ask work && ask "transfer 2"
	kill -INT $observer
	wait $observer
	[ $? = 1 ]
	result $? "a deadlock of $1 is a bug, and others go on"
	cp "$out/stdout" "$out/said"
	formed=$(value formed "$out/stdout")
	seen=$(value seen "$out/stdout")
	started=$(value started "$out/stdout")
	line=$(grep -n 'where: the second' "$here/deadlock_service.c" | cut -d: -f1)
	echo "# said $(((seen - formed) / 1000000)) ms after it formed"
	[ -n "$seen" ] && [ "$formed" -gt "$started" ] && [ $((seen - formed)) -lt 1000000000 ] &&
		[ "$(grep -c "\"where\":\"transfer() at deadlock_service.c:$line\"" "$out/stdout")" = "$1" ] &&
		[ "$(grep -c '"what":"mutex account' "$out/stdout")" = "$1" ]
	result $? "it is named within a second: tasks, locks, places, of $1"
	stop_service
}

deadlock 2
deadlock 3

# --- cycles that are none, and others

# waits NAME CODE SENTENCE: a program of waits.c is looked at for a second, four times
waits()
{
	local program

	: >"$out/ready"
	"$WAITS" "$1" >"$out/ready" &
	program=$!
	until_line "$out/ready" ready
	"$CHESSCTL" attach $program --tree --for 1 >"$out/said" 2>&1
	[ $? = "$2" ]
	result $? "$1: $3"
	kill $program
	wait $program 2>/dev/null
}

waits timed 0 "a cycle that ends by itself is none"
waits busy 0 "locks that change hands all the time are no cycle"
waits outside 0 "a pipe that somebody else has open is no cycle"
waits files 1 "two processes that wait for each other's locks on files"
waits pipes 1 "two processes that read from each other's pipes"

: >"$out/ready"
"$WAITS" later >"$out/ready" &
program=$!
until_line "$out/ready" ready
observe $program --follow
kill -USR1 $program
until_line "$out/stdout" DEADLOCK
result $? "followed: a child that was made later"
kill -INT $observer
kill $program
wait $observer $program 2>/dev/null

# --- a terminal

start_service RING=2
ask hold; ask "transfer 0" & ask "transfer 1" & ask halfway; ask go
TERM=xterm COLUMNS=100 script -qec "stty rows 30 cols 100; $CHESSCTL attach $service --for 1" \
	/dev/null >"$out/said" </dev/null
[ $? = 1 ] && tr -d '\r' <"$out/said" >"$out/screen" && grep -q 'Ctrl-C ends it' "$out/screen" &&
	grep -q 'LAST WOKEN BY' "$out/screen" && grep -q 'mutex account' "$out/screen" &&
	[ "$(grep -v DEADLOCK "$out/screen" | sed 's/\x1b[^A-Za-z]*[A-Za-z]//g' |
		sed -n '/Ctrl-C ends/,/no deadlock\|deadlock$/p' | head -n 12 | wc -L)" -le 100 ]
result $? "a terminal gets a table"
stop_service

# --- refusals

# refused NAME CODE TEXT COMMAND...
refused()
{
	local name=$1 code=$2 text=$3

	shift 3
	"$@" >"$out/stdout" 2>"$out/said"
	[ $? = "$code" ] && [ "$(wc -l <"$out/said")" = 1 ] && grep -q "$text" "$out/said"
	result $? "refused: $name"
}

nobody=(setpriv "--reuid=65534" "--regid=65534" --clear-groups)
refused "a number that is no process" 2 "there is no process 4194303" \
	"$CHESSCTL" attach 4194303
refused "a thread of the kernel" 2 "thread of the kernel" "$CHESSCTL" attach 2
(sleep 0.1 & echo $! >"$out/zombie"; exec sleep 60) &
keeper=$!
until [ -s "$out/zombie" ] &&
	grep -q '^State:.Z' "/proc/$(cat "$out/zombie")/status" 2>/dev/null; do
	sleep 0.1
done
refused "a process that has ended" 2 "has ended" "$CHESSCTL" attach "$(cat "$out/zombie")"
refused "a process of another user" 3 "belongs to root" "${nobody[@]}" "$CHESSCTL" attach $keeper
"${nobody[@]}" sleep 60 &
own=$!
until [ "$(readlink /proc/$own/exe)" = "$(readlink -f "$(command -v sleep)")" ]; do sleep 0.1; done
refused "without the right to use BPF" 3 "CAP_BPF" "${nobody[@]}" "$CHESSCTL" attach $own

kill $keeper $own
"$COUNT" wait "$before" >"$out/said"
result $? "no BPF program is left behind"
totals
