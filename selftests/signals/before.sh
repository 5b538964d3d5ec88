#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A signal comes before an op that was decided on, and its handler has points (before.c): the
# op is a point once more after it, so that a task that dies of the handler is gone by then in
# each replay. And where handlers of two threads have one stack (altstack.c) nothing is claimed.
# Run inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build); TIMES  replays of the trace (default 50)
# Usage: before.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
cd "$(dirname "$0")/../.." || exit 1
TIMES=${TIMES:-50}
. selftests/expect.sh

suite signals

echo "KTAP version 1"
echo "1..4"
bad=0
chessctl 1 explore --host --no-bpf --json --points all --strategy icb --bound 1 --out "$out/before" \
	-- "$PROGRAMS/before"
is verdict assert
is preemptions 1
look replay
[ "$(grep -c '^event .* op=trylock' "${value##* }")" = 2 ] || bad=1
result $bad "a signal comes after the point of a sync function, which has another after it"
found_replays "$TIMES"
result $bad "its trace replays $TIMES times, bit for bit"
# One preemption: of a thread that has its stack and not yet its signal.
bad=0
chessctl 4 explore --host --no-bpf --json --bound 1 --out "$out/t" -- "$PROGRAMS/altstack" shared
is verdict incomplete
look why
case $value in *"one alternative stack"*) ;; *) bad=1 ;; esac
result $bad "handlers of two threads on one stack are not 'ok'"
bad=0
chessctl 0 explore --host --no-bpf --json --bound 1 --out "$out/t" -- "$PROGRAMS/altstack" own
is verdict ok
result $bad "with a stack for each they are"
totals
