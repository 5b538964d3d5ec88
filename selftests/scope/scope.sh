#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Holds the scope of chessctl explore against a program with a library of its own
# (stock.c): how many runs there are, which of them show the bug, what the certificate
# says. Run inside the VM, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# Usage: scope.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
STOCK=$BUILD/selftests/scope/stock
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"
# shellcheck source=selftests/json.sh
. "$here/../json.sh"

need "$CHESSCTL" "$STOCK"
own_folder scope

# explore ARG...: the answer is what look looks at
explore()
{
	timeout -k 5 200 "$CHESSCTL" explore --host --no-bpf --json --points sync --strategy icb \
		--out "$out/traces" "$@" >"$out/answer" 2>"$out/said" </dev/null
	answer_from "$out/answer"
}

# left_out CAUSE: how many ways, of the certificate, which is behind nested objects
left_out()
{
	value=
	[[ ${answer##*\"left_out\"} =~ \"$1\":([0-9]+) ]] && value=${BASH_REMATCH[1]}
}

# searched: how many runs the last search made, as before it, where accesses race, come some that
# choose in the module and have no scope
searched()
{
	look runs
	[[ $answer =~ \"prelude_runs\":([0-9]+) ]] && value=$((value - BASH_REMATCH[1]))
}

# expect NAME KEY VALUE...: one result for all of them
expect()
{
	local name=$1 ok=0

	shift
	while [ $# -gt 0 ]; do
		says "$1" "$2" || {
			echo "# $1: expected $2, seen ${value:-nothing}"
			ok=1
		}
		shift 2
	done
	result $ok "$name"
}

echo "KTAP version 1"
echo "1..11"

# k0 = k1 = 6 points in work(): C(6,0) + C(6,1) + C(6,1) C(6,1) runs with 0, 1, 2
# preemptions. With those of the library, 8 before and 8 behind, there are more.
explore --preempt-in stock:work -- "$STOCK"
expect "only a function: as many runs as its points say" verdict ok runs $((1 + 6 + 6 * 6))
left_out scope
[ "${value:-0}" -gt 0 ]
result $? "the certificate says what was left out"
explore --preempt-in ':wor[k]' --bound 1 -- "$STOCK"
expect "a function of any file" verdict ok runs 7
explore --preempt-in libnotes.so --no-preempt-in stock --bound 1 -- "$STOCK"
look runs
library=$value
explore --bound 1 -- "$STOCK"
look runs
all=$value
explore --no-preempt-in 'libnotes.*' --bound 1 -- "$STOCK"
look runs
echo "# one preemption: $all runs, $value without the library, $library in it alone"
[ "$library" -ge 17 ] && [ "$value" -ge 7 ] && [ $((library - 1 + value - 1)) -eq $((all - 1)) ]
result $? "each point is either in the library or not"

explore --preempt-in stock -- "$STOCK" take
expect "the bug is in the program" verdict assert preemptions 1
explore --preempt-in :take -- "$STOCK" take
expect "the bug is in a function" verdict assert preemptions 1
explore --no-preempt-in stock --bound 1 -- "$STOCK" take
expect "no preemption out of the program shows it" verdict ok
# k0 = k1 = 2 points in grab(): C(2,0) + C(2,1) + C(2,1) C(2,1) runs
explore --points sync,races --preempt-in :grab -- "$STOCK" grab
searched
[ "$value" = $((1 + 2 + 2 * 2)) ]
result $? "only the accesses of a function: as many runs as it has"
explore --points sync,races --no-preempt-in :grab --bound 1 -- "$STOCK" grab
searched
without=$value
explore --points sync,races --bound 1 -- "$STOCK" grab
searched
echo "# one preemption: $value runs, $without without the accesses"
[ "$without" -ge 17 ] && [ "$value" = $((without + 2)) ]
result $? "an access is in its own function, not where its task was before"
explore --bound 1 --skip-ordered -- "$STOCK" take
expect "the bug is at an object that others use" verdict assert preemptions 1
explore --bound 2 --skip-ordered -- "$STOCK"
left_out ordered
[ "${value:-0}" -gt 0 ]
result $? "locks of one thread alone need no preemption"
totals
