#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Services of Debian that are being used, each by a client of its own, while chessctl
# attaches and detaches at random moments, in each mode: not one request may fail, nothing
# may be left behind, and the service must be as fast afterwards as it was before. Called
# by check.sh inside the VM, as root, from the top of the tree:
#
#   services.sh [SERVICE...]
#
# COUNT (default 100): attachments in each mode; KILLS (default 50): how often chessctl is
# killed instead, in turns of the modes; MODES (default "observe record perturb catch explore");
# BUILD (default build). KTAP; exit codes of kselftest.
#
# Throughput: that behind the last attachment, and at once that of a new one that nobody
# attached to, medians of three. An emulated machine on a busy host is good for no more than
# a factor, so what is asked for is half.

set -u
export LC_ALL=C PATH=/usr/bin:/bin:/usr/sbin:/sbin
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
COUNT=${COUNT:-100}
KILLS=${KILLS:-50}
MODES=${MODES-observe record perturb catch explore}
here=selftests/attach
chessctl=$BUILD/chessctl
services=${*:-redis memcached nginx postgres http}
. selftests/ktap.sh

work=$(mktemp -d) || exit 1
ktap_output=$work/out
trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$work"' EXIT
chmod 755 "$work"
postgres_bin=$(echo /usr/lib/postgresql/*/bin)

# ab makes a connection for each request. A small machine keeps 8192 that are over in mind
# (TIME_WAIT), which is what it makes in 20 s; the next ones are forgotten at once, and where
# a segment of such a one comes late, because the host was busy, ab counts an exception or
# waits for its end for ever. That is so without chessctl too.
echo 262144 >/proc/sys/net/ipv4/tcp_max_tw_buckets

# start_NAME: starts it, sets $pid, and $tree where it is more than one process;
# load_NAME SECONDS: uses it for so long, prints "REQUESTS FAILED"

start_redis()
{
	redis-server --port 6312 --bind 127.0.0.1 --save "" --appendonly no --daemonize no \
		--io-threads 3 --logfile /dev/null --dir "$work" >/dev/null &
	pid=$! tree=
}

load_redis()
{
	local end=$((SECONDS + $1)) done=0 failed=0

	while [ $SECONDS -lt $end ]; do
		if redis-benchmark -p 6312 -t set,get,lpush -c 8 -n 200 -q 2>&1 |
		   grep -q -i error; then
			failed=$((failed + 1))
		fi
		done=$((done + 600))
	done
	echo "$done $failed"
}

start_memcached()
{
	memcached -u root -l 127.0.0.1 -p 11312 -U 0 -t 3 -m 8 &
	pid=$! tree=
}

load_memcached()
{
	python3 $here/memcached_load.py 11312 "$1"
}

start_nginx()
{
	local dir=$work/nginx

	mkdir -p "$dir/html"
	echo "a page" >"$dir/html/page"
	cat >"$dir/nginx.conf" <<-END
		daemon off;
		worker_processes 2;
		pid $dir/pid;
		events { worker_connections 64; }
		http {
			access_log off;
			client_body_temp_path $dir/body;
			proxy_temp_path $dir/proxy;
			fastcgi_temp_path $dir/fastcgi;
			uwsgi_temp_path $dir/uwsgi;
			scgi_temp_path $dir/scgi;
			server { listen 127.0.0.1:8312; root $dir/html; }
		}
	END
	nginx -p "$dir" -c "$dir/nginx.conf" -e "$dir/error.log" -g "user root;" &
	pid=$! tree=--tree
}

# bench_http PORT SECONDS
bench_http()
{
	local end=$((SECONDS + $2)) done=0 failed=0 n

	while [ $SECONDS -lt $end ]; do
		ab -q -c 4 -n 200 "http://127.0.0.1:$1/page" >"$work/ab" 2>&1
		n=$(sed -n 's/^Complete requests: *//p' "$work/ab")
		done=$((done + ${n:-0}))
		[ "${n:-0}" = 200 ] || failed=$((failed + 1))
		n=$(sed -n 's/^Failed requests: *//p; s/^Non-2xx responses: *//p' "$work/ab" |
			sort -n | tail -n 1)
		failed=$((failed + ${n:-0}))
		[ $failed = 0 ] || cp -n "$work/ab" "$work/ab.bad"
	done
	echo "$done $failed"
}

load_nginx() { bench_http 8312 "$1"; }

start_http()
{
	python3 $here/http_server.py 8313 &
	pid=$! tree=
}

load_http() { bench_http 8313 "$1"; }

# as_postgres [exec] COMMAND...
as_postgres()
{
	local how=

	if [ "$1" = exec ]; then
		how="exec"
		shift
	fi
	$how setpriv --reuid postgres --regid postgres --clear-groups env HOME="$work" "$@"
}

start_postgres()
{
	local db=$work/db

	install -d -o postgres -g postgres -m 700 "$db"
	as_postgres "$postgres_bin/initdb" -D "$db" -A trust --no-sync -N >"$work/initdb" 2>&1 ||
		return 1
	# The process itself, and no shell that waits for it
	as_postgres exec "$postgres_bin/postgres" -D "$db" -p 5433 -k "$db" -F \
		-c listen_addresses= >"$work/postgres" 2>&1 &
	pid=$! tree=--tree
	until as_postgres psql -q -h "$db" -p 5433 -c "select 1" postgres >/dev/null 2>&1; do
		kill -0 $pid 2>/dev/null || return 1
		sleep 0.2
	done
	as_postgres pgbench -q -i -s 1 -h "$db" -p 5433 postgres >"$work/init" 2>&1
}

load_postgres()
{
	as_postgres pgbench -n -c 4 -j 2 -T "$1" -h "$work/db" -p 5433 postgres \
		>"$work/pgbench" 2>&1
	local status=$? transactions failed

	transactions=$(sed -n 's/^number of transactions actually processed: *\([0-9]*\).*/\1/p' "$work/pgbench")
	failed=$(sed -n 's/^number of failed transactions: *\([0-9]*\).*/\1/p' "$work/pgbench")
	[ $status = 0 ] || failed=$((${failed:-0} + 1))
	echo "${transactions:-0} ${failed:-0}"
}

have()
{
	case $1 in
	redis)	   command -v redis-server redis-benchmark >/dev/null ;;
	memcached) command -v memcached python3 >/dev/null ;;
	nginx)	   command -v nginx ab >/dev/null ;;
	http)	   command -v python3 ab >/dev/null ;;
	postgres)  [ -x "$postgres_bin/postgres" ] && id postgres >/dev/null 2>&1 ;;
	esac
}

# Tasks of the service: itself and its descendants
processes()
{
	local p

	echo "$1"
	for p in $(cat "/proc/$1/task/"*/children 2>/dev/null); do
		processes "$p"
	done
}

# Where those tasks may run that were there before as well. Servers that have a process
# for each connection have others by now, so only what is the same is compared.
affinity()
{
	local p

	for p in $(processes "$1"); do
		grep -H Cpus_allowed_list "/proc/$p/task/"*/status 2>/dev/null
	done | sort -u
}

# What is left over: groups under control, BPF programs
leftovers()
{
	"$chessctl" status --json | tr -d ' \n' | grep -o '"groups":\[[^]]*\]'
	"$BUILD/selftests/attach/programs_count"
}

# A request of a search's own, which must be answered as well
request()
{
	case $1 in
	redis)	   echo "redis-cli -p 6312 incr chess" ;;
	memcached) echo "python3 $here/memcached_load.py 11312 0.01" ;;
	nginx)	   echo "curl -sSf -o /dev/null http://127.0.0.1:8312/page" ;;
	http)	   echo "curl -sSf -o /dev/null http://127.0.0.1:8313/page" ;;
	postgres)  echo "setpriv --reuid postgres --regid postgres --clear-groups" \
			"psql -q -h $work/db -p 5433 -c 'select 1' postgres" ;;
	esac
}

# attach NAME MODE [OPTION...]: its exit code
attach()
{
	local args=("${@:3}") trace=$work/trace

	case $2 in
	observe) args+=(--observe) ;;
	record)	 args+=(--record "$trace") ;;
	perturb) args+=("--perturb=$((RANDOM + 1))") ;;
	catch)	 args+=(--catch --blocked 30) ;;
	explore) args=(--explore --runs 2 --bound 1 --run-timeout 20 --out "$work/found"
		       --each "$(request "$1")") ;;
	esac
	rm -f "$trace"
	# shellcheck disable=SC2086 # a word or none
	timeout 60 "$chessctl" attach "$pid" $tree "${args[@]}" >"$work/out" 2>&1
}

# kept_on LOAD NAME WHAT BEFORE: what all requests made meanwhile say
kept_on()
{
	wait "$1"
	read -r requests failures <"$work/load"
	[ "${requests:-0}" -gt 0 ] && [ "${failures:-1}" = 0 ]
	result $? "$2: $3: no request failed (of ${requests:-0}, ${failures:-?} did)"
	[ ! -f "$work/ab.bad" ] || sed 's/^/# ab: /' "$work/ab.bad"
	[ ! -s "$work/nginx/error.log" ] || sed 's/^/# nginx: /' "$work/nginx/error.log"
	rm -f "$work/ab.bad"
	for _ in $(seq 20); do
		[ "$(leftovers)" = "$4" ] && break
		sleep 0.2	# BPF programs go a little later than who loaded them
	done
	[ "$(leftovers)" = "$4" ]
	result $? "$2: $3: no group and no BPF program is left"
}

# attach_often NAME MODE
attach_often()
{
	local i code bad=0 before load seconds=$((COUNT / 2 + 5))

	before=$(leftovers)
	[ "$2" != explore ] || seconds=$((COUNT * 2 + 5))
	"load_$1" $seconds >"$work/load" &
	load=$!
	for i in $(seq "$COUNT"); do
		attach "$1" "$2" --for "0.$((RANDOM % 45 + 5))"
		code=$?
		# 4: it detached by itself, as it says it will. 1: a search in which the
		# request took too long, behind those of the load.
		if [ $code != 0 ] && [ $code != 4 ] &&
		   { [ "$2" != explore ] || [ $code != 1 ]; }; then
			bad=$((bad + 1))
			cp "$work/out" "$work/bad"
			echo "# $1 $2: attachment $i ended with $code: $(tail -n 1 "$work/out")"
		fi
		kill -0 "$pid" 2>/dev/null || break
		sleep "0.0$((RANDOM % 10))"
	done
	[ $bad = 0 ]
	result $? "$1: $COUNT times --$2"
	kept_on $load "$1" "--$2" "$before"
}

# kill_often NAME: chessctl is killed at a random moment, from its start on
kill_often()
{
	local i before load killed modes

	read -r -a modes <<<"$MODES"
	before=$(leftovers)
	"load_$1" $((KILLS / 2 + 5)) >"$work/load" &
	load=$!
	for i in $(seq "$KILLS"); do
		(attach "$1" "${modes[i % ${#modes[@]}]}") 2>/dev/null &
		killed=$!
		sleep "0.$((RANDOM % 7))$((RANDOM % 10))"
		pkill -KILL -P "$(pgrep -P $killed -x timeout)" -x chessctl
		wait $killed 2>/dev/null
		kill -0 "$pid" 2>/dev/null || break
	done
	kept_on $load "$1" "$KILLS times killed" "$before"
}

per_second()
{
	local begin=${EPOCHREALTIME/./} requests failures

	read -r requests failures < <("load_$1" 3)
	echo $((requests * 1000000 / (${EPOCHREALTIME/./} - begin)))
}

median()
{
	sort -n | sed -n '2p'
}

# try_start NAME
try_start()
{
	if ! "start_$1"; then
		cat "$work/initdb" "$work/postgres" "$work/init" 2>/dev/null | tail -n 5 | sed 's/^/# /'
		return 1
	fi
	sleep 2
	"load_$1" 2 >"$work/load"
}

stop()
{
	local code

	kill -TERM "$pid"
	wait "$pid" 2>/dev/null
	code=$?
	rm -rf "$work/db"
	return $code
}

test_service()
{
	local name=$1 mode after fresh allowed

	if ! try_start "$name"; then
		result 1 "$name: starts"
		return
	fi
	allowed=$(affinity "$pid")
	for mode in $MODES; do
		attach_often "$name" "$mode"
	done
	kill_often "$name"
	[ -n "$allowed" ] && [ -z "$(comm -23 <(echo "$allowed") <(affinity "$pid"))" ]
	result $? "$name: its tasks may run where they might"
	after=$(for _ in 1 2 3; do per_second "$name"; done | median)
	stop
	[ $? -lt 128 ] || [ "$name" = http ]
	result $? "$name: ends when it is told to"
	# A server of python3 may find its port taken by connections that are over.
	[ "$name" != http ] || sleep 1
	try_start "$name" || return
	fresh=$(for _ in 1 2 3; do per_second "$name"; done | median)
	stop
	echo "# $name: $after requests a second afterwards, $fresh of one never attached to"
	[ "$after" -gt 0 ] && [ $((after * 2)) -ge "$fresh" ]
	result $? "$name: as fast as one never attached to (half is taken for noise)"
}

able=()
for s in $services; do
	if have "$s"; then
		able+=("$s")
	else
		echo "services: $s is not installed; see scripts/install-deps.sh apps" >&2
	fi
done
[ ${#able[@]} != 0 ] || skip_all "no service is installed; scripts/install-deps.sh apps"

echo "KTAP version 1"
echo "1..$((${#able[@]} * (3 * $(echo "$MODES" | wc -w) + 5)))"
for s in "${able[@]}"; do
	test_service "$s"
done
totals
