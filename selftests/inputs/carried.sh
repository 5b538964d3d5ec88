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
BUILD=$(realpath "${BUILD:-build}")
program=$BUILD/selftests/inputs/surroundings
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT

echo "KTAP version 1"
if [ ! -x "$BUILD/chessctl" ] || [ ! -x "$program" ]; then
	echo "1..0 # SKIP no $program; run make tests"
	exit 4
fi
cd "$out" && cp "$program" program && printf 'four' >kept || exit 1

echo "1..2"
"$BUILD/chessctl" explore --vm --private-tmp --overlay --no-network --out traces \
	-- ./program --fail >got 2>&1
code=$?
if [ $code = 1 ] && grep -qx 'surroundings private-tmp,overlay,no-network' traces/*.trace; then
	echo "ok 1 options_go_into_the_vm"
else
	echo "# exit code $code"
	sed 's/^/# /' got
	echo "not ok 1 options_go_into_the_vm"
fi
"$BUILD/chessctl" replay --vm --times 5 --json traces/*.trace >got 2>&1
code=$?
if [ $code = 1 ] && grep -q '"identical":5' got &&
	tr -d ' \n' <got | grep -q '"surroundings":\["private-tmp","overlay","no-network"\]'; then
	echo "ok 2 replay_in_the_vm_has_them_again"
else
	echo "# exit code $code"
	sed 's/^/# /' got
	echo "not ok 2 replay_in_the_vm_has_them_again"
fi
