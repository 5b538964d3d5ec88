#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Does program_fuzz find the one program of a batch that is not as it is alone? One is made
# wrong on purpose (SPOIL, see program_subject.c): its seed is to be found, without the
# others and without its steps. And nothing is found where nothing is wrong. Run inside the
# VM, as root, with the module loaded.
#
# BUILD  build directory (default build)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh
BUILD=${BUILD:-build}
fuzz=$BUILD/selftests/fuzz/program_fuzz

need "$fuzz"
own_folder narrow
unset SPOIL DROP WAY AS

# fuzz NAME=VALUE...: its output in $out/said; its status
fuzz()
{
	env SEED=1 TIME=600 RUNS=1 "$@" "$fuzz" >"$out/said" 2>&1
}

echo "KTAP version 1"
echo "1..3"
fuzz BATCH=6 COUNT=6 AS=root && grep -q '^# 6 programs, 2 runs under control' "$out/said"
result $? batch_is_as_alone
fuzz SPOIL=4 BATCH=6 COUNT=6 AS=nobody WAY=run
[ $? = 1 ] && grep -q '^not ok 1 ' "$out/said" && grep -q '^ok 2 ' "$out/said" &&
	grep -qE '^# again: AS=nobody WAY=run RUNS=1 PROGRAMS=4 DROP=0,1,2[0-9,]* program_fuzz$' \
		"$out/said"
result $? wrong_program_is_found
# As it was printed, by a strategy of a search.
fuzz SPOIL=4 PROGRAMS=1,4 AS=root WAY=random
[ $? = 1 ] && grep -q '^# again: AS=root WAY=random RUNS=1 PROGRAMS=4 ' "$out/said"
result $? wrong_program_is_found_by_explore

totals
