#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Programs nobody here wrote, with every access of their own text recorded: each must give
# the output it gives alone, and the same accesses in each run. Of those that make code at
# run time only the text that is in files gets traps. Run inside the VM, as root.
#
# BUILD  build directory (default build)
# TIMES  runs of each program (default 2)
# Usage: apps.sh [NAME...]; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C PATH=/usr/sbin:/usr/bin:/bin
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../ktap.sh
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
TIMES=${TIMES:-2}
apps=$PWD/selftests/apps
out=$(mktemp -d "${TMPDIR:-/tmp}/chess-access.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
cd "$out" || exit 1
[ -x "$BUILD/selftests/access/repeat" ] || skip_all "no repeat; run make tests"

# name | code | command
programs()
{
	cat <<-END
	pigz|PROGRAM|/usr/bin/pigz -p3 -n -c -b128 input
	pigz_zlib|libz.so.1|/usr/bin/pigz -p3 -n -c -b32 small
	pbzip2|PROGRAM|/usr/bin/pbzip2 -p3 -b1 -c -k input
	python3|PROGRAM|/usr/bin/python3 -I -c print(sum(range(2000)))
	memcached|/usr/bin/memcached|$apps/memcached.sh
	luajit|PROGRAM|/usr/bin/luajit loop.lua
	node|PROGRAM:uv_run|/usr/bin/node $apps/workers.js
	END
}

seq 1 60000 >input
seq 1 9000 >small
echo 'local s = 0 for i = 1, 2e6 do s = s + i % 7 end print(s)' >loop.lua

list=$(programs | while IFS='|' read -r name rest; do
	# shellcheck disable=SC2068 # names have no blanks
	wanted "$name" $@ && echo "$name|$rest"
done)
echo "KTAP version 1"
echo "1..$(grep -c . <<<"$list")"
while IFS='|' read -r name code command; do
	if ! [ -x "${command%% *}" ] || { [ "$name" = memcached ] && ! [ -x /usr/bin/memcached ]; }; then
		result skip "$name" "it is not installed"
		continue
	fi
	# shellcheck disable=SC2086 # a list of words
	$command >alone 2>/dev/null </dev/null
	# shellcheck disable=SC2086
	timeout 500 "$BUILD/selftests/access/repeat" -n "$TIMES" -m 30000000 -e 4000000 -c "$code" -o recorded \
		-- $command >log 2>&1 </dev/null
	status=$?
	cmp alone recorded >>log 2>&1 || status=1
	grep -a '^# [a-z]*, [0-9]* events' log | sed "s/^# /# $name: /"
	ktap_output=log result $status "$name" </dev/null
done <<<"$list"
totals
