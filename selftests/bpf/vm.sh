#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# chessctl --probe where the VM is started by chessctl itself: the file is seen there under
# the name it was given, and the trace that comes back replays. Run on the host.
#
# BUILD  build directory (default build)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C NO_COLOR=1
cd "$(dirname "$0")/../.." || exit 1
BUILD=$(realpath "${BUILD:-build}")
chessctl=$BUILD/chessctl
. selftests/ktap.sh
[ -x "$chessctl" ] && [ -f "$BUILD/selftests/bpf/spin.bpf.o" ] ||
	skip_all "no $BUILD/selftests/bpf/spin.bpf.o; run make tests"
out=$(mktemp -d /var/tmp/chess-bpf.XXXXXX) || exit 1
trap 'rm -rf "$out"' EXIT
cp "$BUILD/selftests/bpf/spin.bpf.o" "$BUILD/selftests/bpf/account" "$out" && cd "$out" || exit 1
ktap_output=$out/got

echo "KTAP version 1"
echo "1..3"
timeout 200 "$chessctl" explore --vm --bound 1 --probe spin.bpf.o -- ./account >got 2>&1
[ $? = 1 ] && [ -f chess-traces/account-assert-1.trace ]
result $? "explore --vm finds what only the probe makes reachable"
timeout 200 "$chessctl" replay --vm --times 10 chess-traces/account-assert-1.trace >got 2>&1
[ $? = 1 ] && grep -q '10 of 10 replays, records identical bit for bit' got
result $? "replay --vm takes the probe from the trace"
echo text >text.bpf.o
timeout 200 "$chessctl" explore --vm --probe text.bpf.o -- ./account >out 2>got
[ $? = 3 ] && [ ! -s out ] && grep -q "'text.bpf.o' is not a BPF object file" got
result $? "a bad file has its sentence from the VM as well"
totals
