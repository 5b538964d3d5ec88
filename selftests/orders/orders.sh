#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Holds what a search finds against what happens without us. Of random programs of two
# threads (subject.c) every order of their steps that needs at most two preemptions is
# brought about by the clock alone; each outcome that comes so in all of three runs must be
# among those of a search by default that says "ok". The two have nothing in common: the one
# knows no points, races or waits, the other no times. Run inside the VM, as root, with the
# module loaded.
#
# SEED      the first program (default 1)
# COUNT     how many (default 6)
# STOP      seconds a search may take (default 60); one that takes longer is skipped
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# Usage: orders.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
# shellcheck disable=SC2034 # said.sh reads it
LIMIT=400
SEED=${SEED:-1} COUNT=${COUNT:-6} STOP=${STOP:-60}
subject=$(cd "$BUILD/selftests/orders" && pwd)/subject || exit 1
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"
# shellcheck source=selftests/said.sh
. "$here/../said.sh"

need "$CHESSCTL" "$subject"
own_folder orders

# by_the_clock SEED: outcomes, each with the order that brought it, to $out/clock
by_the_clock()
{
	local order

	: >"$out/clock"
	for order in $("$subject" "$1" plans); do
		rm -f "$out/three"
		for _ in 1 2 3; do
			ORDERS_OUT=$out/three "$subject" "$1" "$order" || echo "exit code $?" >>"$out/three"
		done
		[ "$(sort -u "$out/three" | wc -l)" = 1 ] || continue
		sed -n "1s/\$/ $order/p" "$out/three" >>"$out/clock"
	done
}

# by_search SEED: outcomes to $out/search
by_search()
{
	rm -rf "$out/search" "$out/t"
	: >"$out/search"
	ORDERS_OUT=$out/search LIMIT=$STOP chess explore --host --no-bpf --out "$out/t" \
		-- "$subject" "$1"
}

# missing: the lines of $out/clock whose outcome is not in $out/search
missing()
{
	awk 'NR == FNR { found[$1] = 1; next } !($1 in found)' "$out/search" "$out/clock"
}

echo "KTAP version 1"
echo "1..$((COUNT + 1))"
complete=0
for ((seed = SEED; seed < SEED + COUNT; seed++)); do
	name="$seed: $("$subject" "$seed" steps)"
	by_the_clock "$seed"
	by_search "$seed"
	if [ "$code" = 124 ]; then
		result skip "$name" "no end in $STOP s"
		continue
	fi
	complete=$((complete + 1))
	echo "# $(wc -l <"$out/clock") orders, $(cut -d' ' -f1 "$out/clock" | sort -u | wc -l) outcomes; search: $(wc -l <"$out/search") runs, $(sort -u "$out/search" | wc -l) outcomes"
	if [ "$code" = 0 ] && [ -s "$out/clock" ]; then
		missing >"$out/missing"
	else
		{ echo "exit code $code"; cat "$out/said"; } >"$out/missing"
	fi
	[ ! -s "$out/missing" ]
	result $? "$name"
	sed 's/^/# /' "$out/missing"
done
[ $((complete * 2)) -gt "$COUNT" ]
result $? "most searches come to an end"
totals
