#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The surroundings of runs where chessctl takes the whole command to the VM: the
# options go with it, its trace has them, and a replay in another VM has them again.
# Run on the host; boots two VMs. What surroundings.sh proves is not repeated here.
#
# BUILD  build directory (default build)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
program=$BUILD/selftests/inputs/surroundings
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT

ktap_output=$out/got

[ -x "$BUILD/chessctl" ] && [ -x "$program" ] || skip_all "no $program; run make tests"
cd "$out" && cp "$program" program && printf 'four' >kept || exit 1

echo "KTAP version 1"
echo "1..2"
"$BUILD/chessctl" explore --vm --private-tmp --overlay --no-network --out traces \
	-- ./program --fail >got 2>&1
code=$?
[ $code = 1 ] && grep -qx 'surroundings private-tmp,overlay,no-network' traces/*.trace
result $? options_go_into_the_vm
"$BUILD/chessctl" replay --vm --times 5 --json traces/*.trace >got 2>&1
code=$?
[ $code = 1 ] && grep -q '"identical":5' got &&
	tr -d ' \n' <got | grep -q '"surroundings":\["private-tmp","overlay","no-network"\]'
result $? replay_in_the_vm_has_them_again
totals
