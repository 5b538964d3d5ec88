#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Drivers of the hunt one after the other, in the VM as root; hunt.sh calls it there. Each has a
# working directory of its own: its "prepare" line is run, then the driver alone, once under
# control, and in a search with default options, then in one with its "options". What they said
# is in OUTBOX/NAME, which is complete when it has a file "done".
#
# Usage: batch.sh BUILD OUTBOX BUDGET NAME...

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../ktap.sh
. selftests/ktap.sh
build=$1 outbox=$2 budget=$3
shift 3
here=$PWD/selftests/hunt
chessctl=$build/chessctl
ALONE_LIMIT=60 RUN_LIMIT=120 SEARCH_MORE=45	# seconds

# Not in /tmp, of which a run may get one of its own.
work=/run/hunt
mkdir -p $work/bin && mount -t tmpfs tmpfs $work && mkdir -p $work/bin || exit 1
cp "$build"/selftests/hunt/* $work/bin/
export PATH=$work/bin:/usr/sbin:/usr/bin:/sbin:/bin
near_tools

# Where the host is busy while the VM boots, the VM's clock is sometimes wrong by a factor.
first=$(cat "$outbox/clock") own=$EPOCHSECONDS
sleep 5
second=$(cat "$outbox/clock") own=$((EPOCHSECONDS - own))
passed=$((second - first))
if [ $((2 * passed)) -gt $((3 * own + 2)) ] || [ $((2 * own)) -gt $((3 * passed + 2)) ]; then
	echo "the clock of the VM runs $own s in $passed s" >&2
	exit 75
fi

# Park-Miller numbers, a line each. COUNT
numbers()
{
	awk -v n="$1" 'BEGIN { for (x = 1; i < n; i++) { x = x * 16807 % 2147483647; print x } }'
}
export -f numbers

# The value of a line "# KEY: VALUE" of the driver
head_of() { sed -n "s/^# $1: //p" driver; }

# Programs that the driver names, and their libraries
near_driver()
{
	local f

	grep -oE '(^|[ ("$;])/[a-z][A-Za-z0-9/._+-]+' driver | tr -d ' ("$;' | sort -u |
	while read -r f; do
		[ -f "$f" ] && [ -x "$f" ] || continue
		near "$f"
		ldd "$f" 2>/dev/null | grep -oE ' /[^ ]+' | while read -r f; do near "$f"; done
	done
}

# search NAME OPTION...: one search; its words are NAME.json and NAME.err
search()
{
	local name=$1 trace

	shift
	timeout -k 5 $((budget + SEARCH_MORE)) "$chessctl" explore --host --time "$budget" --json \
		--out "$name" "$@" -- ./driver >"$to/$name.json" 2>"$to/$name.err" </dev/null
	echo $? >"$to/$name.code"
	trace=$(find "$name" -name '*.trace' ! -name '*-diverged-*' 2>/dev/null | sort -V |
		head -n 1)
	find "$name" -name '*.trace' -size -4M -exec cp {} "$to/" \; 2>/dev/null
	[ -n "$trace" ] || return 0
	timeout -k 5 60 "$chessctl" show "$trace" >"$to/$name.report" 2>&1
	timeout -k 5 120 "$chessctl" replay --host --times 20 "$trace" >"$to/$name.replay" 2>&1
}

for driver; do
	to=$outbox/$driver dir=$work/$driver
	rm -rf "${to:?}"
	mkdir -p "$to" "$dir" && cd "$dir" || exit 1
	cp "$here/drivers/$driver.sh" driver
	near_driver
	timeout 120 bash -c "$(head_of prepare)" >"$to/prepare.err" 2>&1 </dev/null
	start=${EPOCHREALTIME/./}
	# A bug may show alone, too.
	for try in 1 2 3; do
		timeout -k 5 $ALONE_LIMIT ./driver >"$to/alone.out" 2>"$to/alone.err" </dev/null
		code=$?
		[ $code != 0 ] && [ $code != 124 ] && [ $code != 137 ] || break
	done
	echo "$code" >"$to/alone.code"
	echo "$try" >"$to/alone.tries"
	echo $(((${EPOCHREALTIME/./} - start) / 1000)) >"$to/alone.ms"
	if [ "$(cat "$to/alone.code")" = 0 ]; then
		start=${EPOCHREALTIME/./}
		timeout -k 5 $RUN_LIMIT "$chessctl" run --host -- ./driver \
			>"$to/run.out" 2>"$to/run.err" </dev/null
		echo $? >"$to/run.code"
		echo $(((${EPOCHREALTIME/./} - start) / 1000)) >"$to/run.ms"
		search explore
		read -r -a options <<<"$(head_of options)"
		[ ${#options[@]} = 0 ] || search options "${options[@]}"
	fi
	head -c 20000 "$to/alone.err" >"$to/short" && mv "$to/short" "$to/alone.err"
	head -c 20000 "$to/alone.out" >"$to/short" && mv "$to/short" "$to/alone.out"
	touch "$to/done"
	echo "$driver: alone $code, run $(cat "$to/run.code" 2>/dev/null), explore" \
		"$(cat "$to/explore.code" 2>/dev/null)" \
		"$(grep -m 2 -E '"(verdict|runs)":' "$to/explore.json" 2>/dev/null | tr -d '\n')"
	cd $work && rm -rf "$dir"
done
