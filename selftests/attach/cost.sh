#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What attach --observe costs a service under load, beside what people attach else: the
# same load alone and with each of them, in turns; medians of the ratios of a round. Run
# inside a VM, as root. Programs that are not installed are left out.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# ROUNDS    of each service (default 5)
# REQUESTS  of a round (default 20000); a tenth as many for pgbench's clients, of which there are 4
# CLIENTS   of redis (default 8)
# TOOLS     default: observe strace perf gdb
# Usage: cost.sh [redis] [pgbench]; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/suite.sh"
ROUNDS=${ROUNDS:-5}
REQUESTS=${REQUESTS:-20000}
CLIENTS=${CLIENTS:-8}
TOOLS=${TOOLS:-observe strace perf gdb}

out=$(mktemp -d "${TMPDIR:-/tmp}/chess-cost.XXXXXX") || exit 1
chmod 755 "$out"
trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$out"' EXIT

# until_line FILE TEXT: waits until somebody has written it
until_line()
{
	local tries=0

	until grep -q "$2" "$1" 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || { echo "# no '$2' in $1" >&2; cat "$1" >&2; return 1; }
		sleep 0.1
	done
}

# until_true COMMAND...: five times in a row
until_true()
{
	local tries=0 good=0

	while [ $good -lt 5 ]; do
		if "$@"; then good=$((good + 1)); else good=0; fi
		tries=$((tries + 1))
		[ $tries -lt 600 ] || { echo "# not so: $*" >&2; return 1; }
		sleep 0.2
	done
}

# Neither says when it has begun.
perf_counts() { find "/proc/$tool_pid/fd" -lname '*perf_event*' 2>/dev/null | grep -q .; }
gdb_goes_on()
{
	! grep -q '^TracerPid:.0$' "/proc/$1/status" && ! grep -q '^State:.t' "/proc/$1/status"
}

# attach TOOL PID: in the background; $tool_pid is its number
attach()
{
	local log=$out/$1.log

	: >"$log"
	case $1 in
	observe)
		"$CHESSCTL" attach "$2" --tree --follow --json >"$out/observe.json" 2>"$log" &
		tool_pid=$!
		until_line "$log" 'is watched' ;;
	strace)
		strace -f -p "$2" -o /dev/null 2>"$log" &
		tool_pid=$!
		until_line "$log" 'attached' ;;
	perf)
		perf trace -p "$2" -o /dev/null >"$log" 2>&1 &
		tool_pid=$!
		until_true perf_counts ;;
	gdb)
		gdb -nx -batch -p "$2" -ex 'handle all nostop noprint pass' -ex continue \
			>"$log" 2>&1 </dev/null &
		tool_pid=$!
		until_true gdb_goes_on "$2" ;;
	esac
}

# detach TOOL
detach()
{
	kill -INT "$tool_pid" 2>/dev/null
	sleep 0.2
	# Who has not understood SIGINT yet; the table of waits is written after it.
	[ "$1" = observe ] || kill -TERM "$tool_pid" 2>/dev/null
	wait "$tool_pid" 2>/dev/null
}

# What the last observation was of.
waits() { awk -F'[:,]' '/"objects"/ { on = 1 } on && /"waits"/ { n += $2 } END { print n + 0 }' "$out/observe.json"; }

start_redis()
{
	redis-server --port 6312 --bind 127.0.0.1 --save "" --appendonly no --logfile /dev/null \
		--loglevel warning >/dev/null &
	service=$!
	until [ "$(redis-cli -p 6312 ping 2>/dev/null)" = PONG ]; do sleep 0.2; done
}

# Requests a second.
load_redis()
{
	redis-benchmark -p 6312 -n "$REQUESTS" -c "$CLIENTS" -t get --csv 2>/dev/null |
		awk -F'"' '$2 == "GET" { print $4 }'
}

start_pgbench()
{
	local bin as="setpriv --reuid=postgres --regid=postgres --clear-groups"

	bin=$(find /usr/lib/postgresql -maxdepth 2 -name bin | sort | tail -n 1)
	install -d -o postgres "$out/pg"
	$as "$bin/initdb" -D "$out/pg/data" -N -A trust >"$out/pg.log" 2>&1 || return 1
	$as "$bin/postgres" -D "$out/pg/data" -k "$out/pg" -c listen_addresses= -c fsync=off \
		-c autovacuum=off >>"$out/pg.log" 2>&1 &
	service=$!
	until psql -h "$out/pg" -U postgres -c 'select 1' >/dev/null 2>&1; do sleep 0.5; done
	pgbench -h "$out/pg" -U postgres -i -s 1 -q postgres >>"$out/pg.log" 2>&1
}

# Transactions a second.
load_pgbench()
{
	pgbench -h "$out/pg" -U postgres -S -c 4 -t "$((REQUESTS / 40))" -n postgres 2>/dev/null |
		awk '/^tps = / { print $3 }'
}

median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# measure SERVICE: rounds with all tools that are there
measure()
{
	local name=$1 tool round alone with ratio

	"start_$name" || { result 1 "$name starts"; return; }
	"load_$name" >/dev/null
	for round in $(seq "$ROUNDS"); do
		alone=$("load_$name")
		echo "# $name round $round: alone $alone"
		for tool in $TOOLS; do
			command -v "${tool/observe/true}" >/dev/null || continue
			attach "$tool" "$service" || { detach "$tool"; continue; }
			with=$("load_$name")
			detach "$tool"
			kill -0 "$service" || { result 1 "$name lives after $tool"; return; }
			ratio=$(awk -v a="$alone" -v w="$with" 'BEGIN { printf "%.3f", w / a }')
			echo "# $name round $round: $tool $with, $ratio of alone"
			echo "$ratio" >>"$out/$name.$tool"
			[ $tool != observe ] || echo "# observe noted $(waits) waits"
		done
		# What a second time alone differs by is what the machine does.
		ratio=$("load_$name" | awk -v a="$alone" '{ printf "%.3f", $1 / a }')
		echo "$ratio" >>"$out/$name.again"
	done
	for tool in again observe strace perf gdb; do
		[ -s "$out/$name.$tool" ] &&
			echo "# $name, median of $ROUNDS: $tool $(median <"$out/$name.$tool") of alone"
	done
	median <"$out/$name.observe" | awk '{ exit !($1 >= 0.9) }'
	result $? "$name keeps 90 % of its throughput while it is observed"
	kill "$service"
	wait "$service" 2>/dev/null
}

[ $# != 0 ] || set -- redis pgbench
echo "KTAP version 1"
echo "1..$#"
for name in "$@"; do
	if [ "$name" = redis ] && ! command -v redis-benchmark >/dev/null; then
		n=$((n + 1)); skipped=$((${skipped:-0} + 1))
		echo "ok $n $name # SKIP no redis-benchmark; apt-get install redis"
	else
		measure "$name"
	fi
done
totals
