#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Does everything that BPF has a part in load on this kernel, and work? Run inside the VM
# or by cloud.sh, as root, with the module loaded: look.bpf.o, waker.bpf.o and watch.bpf.o, which
# are in the library; a program of a user that makes points; programs on the trace events.
#
# BUILD  build directory (default build); KTAP on stdout; exit 0 or 1.

set -u
export LC_ALL=C NO_COLOR=1
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh
BUILD=${BUILD:-build}
out=$(mktemp -d "${TMPDIR:-/tmp}/chess-flavour.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
ktap_output=$out/got

echo "KTAP version 1"
echo "1..6"
"$BUILD/selftests/look/cost" >"$out/got" 2>&1
result $? "look.bpf.o and waker.bpf.o load, look and watch"
"$BUILD/selftests/attach/waits" pipes >"$out/ready" &
program=$!
until [ -s "$out/ready" ]; do sleep 0.1; done
"$BUILD/chessctl" attach $program --tree --for 1 >"$out/got" 2>&1
[ $? = 1 ] && grep -q '^DEADLOCK of 2 tasks' "$out/got"
result $? "watch.bpf.o loads, and a deadlock of processes that run is seen"
kill $program
"$BUILD/chessctl" explore --host --bound 0 --json --out "$out" -- \
	"$BUILD/selftests/deadlocks/deadlocks" pipes >"$out/got" 2>&1
grep -q '"kernel":"pipe_read,' "$out/got" && grep -q '"object":"pipe, 0 of' "$out/got"
result $? "a deadlock is reported with what BPF reads"
"$BUILD/chessctl" explore --host --bound 1 --probe "$BUILD/selftests/bpf/spin.bpf.o" \
	--out "$out" -- "$BUILD/selftests/bpf/account" >"$out/got" 2>&1
[ $? = 1 ] && grep -q '^assert' "$out/got"
result $? "a bug is found through the points of spin.bpf.o"
"$BUILD/chessctl" replay --host --times 10 "$out/account-assert-1.trace" >"$out/got" 2>&1
grep -q '10 of 10 replays, records identical' "$out/got"
result $? "and replayed"
"$BUILD/selftests/bpf/events_test" >"$out/got" 2>&1
result $? "events.bpf.o sees the trace events"
totals
