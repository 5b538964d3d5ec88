#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Memory of searches of a million runs, which is the same each time, has a limit some 30 %
# above what was measured. Their speed is told and nothing else: it depends on what the
# machine does beside. Run by run.sh with CHESS_BUILD set; output is KTAP.

cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh
bench=$CHESS_BUILD/selftests/simulator/sim_bench
ktap_output=$(mktemp) || exit 1
trap 'rm -f "$ktap_output"' EXIT

# limited NAME MB ARGUMENT...: of sim_bench
limited()
{
	local name=$1 mb=$2 status

	shift 2
	"$bench" "$@" limit "$mb" >"$ktap_output" 2>&1
	status=$?
	sed -n '$s/^/# /p' "$ktap_output"
	result $status "$name"
}

[ -x "$bench" ] || skip_all "there is no sim_bench; make tests builds it"
echo "KTAP version 1"
echo "1..3"
# 7.7 million prefixes wait at its end, with eight bytes each, and as many runs of 48.
limited "prefixes of the next level that wait" 130 icb 4 none 3
# The last level leaves none for another one, but goes on in rows.
limited "prefixes of the level in work that wait" 40 icb 3 none 3
# 64 MB of these are the table of visited keys.
limited "where the search has been" 120 icb 4 hb,sleep,classes 6
totals
