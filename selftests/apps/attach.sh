#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Services of Debian under steady load: chessctl attach takes control of each and lets go
# of it again, in each mode, at random moments, and once its owner is killed instead. No
# request may fail, and all tasks are on their own processors afterwards. Run inside the
# VM, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# COUNT     attaches of each mode (default 10)
# SEED      of the moments (default 1)
# Usage: attach.sh [SERVICE...]; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
COUNT=${COUNT:-10}
. "$here/../ktap.sh"

[ -x "$CHESSCTL" ] || skip_all "no $CHESSCTL; run make"
out=$(mktemp -d "${TMPDIR:-/tmp}/chess-attach.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
RANDOM=${SEED:-1}
# shellcheck disable=SC2034 # ktap.sh shows it
ktap_output=$out/said

# start NAME: in the background; sets pid, kind and port
start()
{
	tree=()
	case $1 in
	redis)
		kind=redis port=6312
		/usr/bin/redis-server --port $port --bind 127.0.0.1 --save "" --appendonly no \
			--daemonize no --logfile /dev/null --io-threads 2 --io-threads-do-reads yes &
		;;
	memcached)
		kind=memcached port=11312
		/usr/bin/memcached -u root -l 127.0.0.1 -p $port -t 4 &
		;;
	python)
		kind=http port=8312
		echo hello >"$out/index.html"
		/usr/bin/python3 -m http.server --bind 127.0.0.1 --directory "$out" $port \
			>/dev/null 2>&1 &
		;;
	nginx)
		kind=http port=8313 tree=(--tree)
		echo hello >"$out/index.html"
		cat >"$out/nginx.conf" <<-END
			worker_processes 2;
			daemon off;
			user root;
			pid $out/nginx.pid;
			error_log /dev/null;
			events { }
			http { access_log off; server { listen 127.0.0.1:$port; root $out; } }
		END
		/usr/sbin/nginx -c "$out/nginx.conf" &
		;;
	esac
	pid=$!
	for ((i = 0; i < 200; i++)); do
		(exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && return
		sleep 0.1
	done
	echo "# $1 does not listen"
}

# tasks: processors of the tasks of the service and of its children
tasks()
{
	local p

	for p in "$pid" $(pgrep -P "$pid"); do
		grep -hs Cpus_allowed: /proc/"$p"/task/*/status
	done | sort -u
}

nap() { sleep "0.$(printf %03d $((RANDOM % $1)))"; }

# once MODE...: taken, and let go some time later by a signal
once()
{
	local code=0

	"$CHESSCTL" attach "$pid" "${tree[@]}" "$@" >"$out/answer" 2>"$out/notes" &
	owner=$!
	for ((tries = 0; tries < 300; tries++)); do
		grep -q "under control" "$out/notes" && break
		sleep 0.1
	done
	nap 900
	kill -TERM $owner
	wait $owner || code=$?
	[ $code = 0 ] || cat "$out/notes" "$out/answer" >>"$out/said"
	return $code
}

killed()
{
	"$CHESSCTL" attach "$pid" "${tree[@]}" --perturb >>"$out/said" 2>&1 &
	owner=$!
	nap 900
	kill -KILL $owner
	wait $owner 2>/dev/null
	return 0
}

bad()
{
	local what=$1 i status=0

	shift
	: >"$out/said"
	for ((i = 0; i < COUNT; i++)); do
		"$@" || status=1
		nap 300
	done
	result $status "$name: $what, $COUNT times"
}

# rate FROM TO: answers a second in the seconds between
rate() { awk -v a="$1" -v b="$2" '/^second/ && $2 > a && $2 < b { n += $3; s++ }
	END { printf "%d\n", s ? n / s : 0 }' "$out/load"; }

services=("$@")
[ ${#services[@]} -gt 0 ] || services=(redis memcached python nginx)
echo "KTAP version 1"
echo "1..$((${#services[@]} * 6))"
for name in "${services[@]}"; do
	start "$name"
	before=$(tasks)
	touch "$out/go"
	perl "$here/load.pl" "$kind" "$port" 4 "$out/go" >"$out/load" 2>"$out/complaints" &
	load=$!
	first=$(date +%s)
	sleep 5
	begin=$(date +%s)
	bad "recorded" once --record "$out/trace"
	bad "perturbed at random" once --perturb
	bad "perturbed by pct" once --perturb --policy pct
	bad "its owner killed" killed
	end=$(($(date +%s) + 1))
	sleep 6
	last=$(date +%s)
	after=$(tasks)
	rm "$out/go"
	wait $load
	cp "$out/complaints" "$out/said"
	grep -q "^bad 0$" "$out/load"
	result $? "$name: no request failed"
	echo "# $name: $(rate "$first" "$begin") answers a second before, $(rate "$begin" "$end") while, $(rate "$end" "$last") after"
	diff <(echo "$before") <(echo "$after") >"$out/said"
	result $? "$name: its tasks have the processors they had"
	kill $pid
	wait $pid 2>/dev/null
done
totals
