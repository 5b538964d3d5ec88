#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Programs nobody here wrote, from Debian packages: under "chessctl run" each must
# give the output and exit code it gives alone, and along COUNT different schedules
# as well (schedules.c).  Run inside the VM, as root; "make check-apps" installs the
# packages and calls it.
#
# BUILD  build directory (default build)
# COUNT  schedules of each program (default 20)
# Usage: apps.sh [NAME...]; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C PATH=/usr/bin:/bin
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../ktap.sh
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
COUNT=${COUNT:-20}
RUN_LIMIT=120		# seconds for one run under control
WALK_LIMIT=600		# seconds for all schedules of one program
here=$PWD/selftests/apps

out=$(mktemp -d "${TMPDIR:-/tmp}/chess-apps.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
cd "$out" || exit 1

for f in "$BUILD/chessctl" "$BUILD/selftests/apps/schedules"; do
	[ -x "$f" ] || skip_all "no $f; run make programs"
done

# name | command; 1 MB of input where there is one, cut so that every thread has work.
# sort halves its work among threads down to 131,072 lines, so its lines are short. A
# name with a star is run once and not along other schedules, for the time it takes.
programs()
{
	cat <<-END
	pigz|/usr/bin/pigz -p4 -n -c -b128 input
	xz|/usr/bin/xz -T2 -1 --block-size=262144 -c -k input
	pbzip2|/usr/bin/pbzip2 -p3 -b2 -c -k input
	sort|/usr/bin/sort --parallel=4 -S64M lines
	python3|/usr/bin/python3 -I $here/threads.py
	perl|/usr/bin/perl $here/threads.pl
	ruby|/usr/bin/ruby --disable-gems $here/threads.rb
	memcached|$here/memcached.sh
	redis|$here/redis.sh
	nginx|$here/nginx.sh
	pipeline|$here/pipeline.sh
	make|$here/make.sh tcc
	make_gcc*|$here/make.sh gcc
	asyncio|/usr/bin/python3 -I $here/asyncio_tasks.py
	multiprocessing|/usr/bin/python3 -I $here/processes.py
	node|/usr/bin/node $here/workers.js
	END
}

# Park-Miller numbers: the same on every machine. COUNT FORMAT MODULUS
numbers()
{
	awk -v n="$1" -v f="$2\n" -v m="$3" \
		'BEGIN { for (x = 1; i < n; i++) { x = x * 16807 % 2147483647; printf f, x % m } }'
}
numbers 142858 %06d 1000000 >input	# 1,000,006 bytes
numbers 333334 %02d 100 >lines		# 1,000,002 bytes

list=() tests=0
while IFS='|' read -r name command; do
	wanted "${name%\*}" "$@" || continue
	list+=("$name|$command")
	tests=$((tests + 1))
	[ "${name%\*}" = "$name" ] && tests=$((tests + 1))
done < <(programs)
[ $tests -gt 0 ] || skip_all "no program named $*"

# The environment of schedules.c: what the machine's says would be another input.
clean() { env -i PATH=$PATH LC_ALL=C "$@"; }

echo "KTAP version 1"
echo "1..$tests"
for item in "${list[@]}"; do
	name=${item%%|*}
	walk=yes
	[ "${name%\*}" = "$name" ] || walk=
	name=${name%\*}
	read -r -a command <<<"${item#*|}"
	if [ ! -x "${command[0]}" ]; then
		echo "# no ${command[0]}; run scripts/install-deps.sh apps"
		result 1 "${name}_gives_the_same_output"
		[ -z "$walk" ] || result 1 "${name}_ends_the_same_way_along_${COUNT}_schedules"
		continue
	fi
	start=$SECONDS
	clean "${command[@]}" >alone 2>alone.err </dev/null
	alone=$?
	clean timeout -k 5 $RUN_LIMIT "$BUILD/chessctl" run --host -- "${command[@]}" \
		>controlled 2>controlled.err </dev/null
	controlled=$?
	# What the run itself makes, and removes, cannot have traps; chessctl says so.
	sed -i '\,^chessctl: note: no traps in .*/make/program,d' controlled.err
	echo "# $name: exit code $alone alone, $controlled under control; $(stat -c %s alone) and" \
	     "$(stat -c %s controlled) bytes; $((SECONDS - start)) s"
	[ $alone = $controlled ] && cmp -s alone controlled &&
		cmp -s alone.err controlled.err && [ -s alone ]
	code=$?
	[ $code = 0 ] || diff -a alone controlled | head -n 20 | cut -c 1-200 | sed 's/^/# /'
	[ $code = 0 ] || head -n 20 controlled.err | sed 's/^/# /'
	result $code "${name}_gives_the_same_output"
	[ -n "$walk" ] || continue

	start=$SECONDS
	timeout -k 5 $WALK_LIMIT "$BUILD/selftests/apps/schedules" --count "$COUNT" \
		--replay-every 5 -- "${command[@]}"
	code=$?
	echo "# $name: $((SECONDS - start)) s"
	result $code "${name}_ends_the_same_way_along_${COUNT}_schedules"
done
totals
