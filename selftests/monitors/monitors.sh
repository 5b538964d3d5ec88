#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Programs built with sanitizers, and under valgrind, whose bugs show in some schedules only:
# explore finds each with the verdict that the monitor's message has, its report is in the
# trace, and replays are equal. Twins without the bug are ok. Run inside the VM, as root, with
# the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# TIMES     replays of each trace (default 100)
# ALL       y: clang's programs with each bug, and not with one
# Usage: monitors.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
# shellcheck disable=SC2034 # said.sh reads it
LIMIT=600
TIMES=${TIMES:-100}
BIN=$(cd "$BUILD/selftests/monitors" && pwd) || exit 1
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"
# shellcheck source=selftests/said.sh
. "$here/../said.sh"

need "$CHESSCTL" "$BIN/gcc-address/leak" "$BIN/clang-address/leak" "$BIN/ahead/lock_order_jump"
own_folder monitors

# A sanitizer computes its report without a point; on a busy machine it takes longer than
# the usual quantum, whose end is no decision that a replay can repeat.
explore()
{
	rm -rf "$out/t"
	chess explore --host --no-bpf --out "$out/t" --points all --strategy icb --bound 1 \
		--quantum 20000 "$@"
}

# found KIND PROGRAM VERDICT MONITOR WORDS [SUMMARY]: three rows
found()
{
	local summary=${6:-"SUMMARY: $4: $5"} trace

	explore -- "$BIN/$1/$2"
	said 1 "^$3: " "found by $4: .*$5" '1 preemption, '
	result $? "$1: $2 is found, and by whom"
	trace=$(ls "$out"/t/*.trace)
	grep -Eq "^stderr .*($summary)" "$trace"
	result $? "$1: what is said of $2 is in its trace"
	chess replay --host --times "$TIMES" "$trace"
	said 1 "$3 reproduced.* $TIMES of $TIMES replays, records identical"
	result $? "$1: $2 is replayed"
	explore -- "$BIN/$1/${2}_mended"
	said 0 '^ok: no bug'
	result $? "$1: mended, $2 is ok"
}

# of COMPILER: all of them
of()
{
	found "$1-address" double_free memory AddressSanitizer 'attempting double-free' \
		'SUMMARY: AddressSanitizer: double-free'
	found "$1-address" heap_overflow memory AddressSanitizer heap-buffer-overflow
	found "$1-address" leak memory LeakSanitizer 'detected memory leaks' \
		'SUMMARY: AddressSanitizer: 1000 byte\(s\) leaked'
	found "$1-leak" leak memory LeakSanitizer 'detected memory leaks' \
		'SUMMARY: LeakSanitizer: 1000 byte\(s\) leaked'
	found "$1-undefined" int_overflow assert UndefinedBehaviorSanitizer \
		'signed integer overflow' 'runtime error: signed integer overflow'
	found "$1-thread" data_race race ThreadSanitizer 'data race'
}

echo "KTAP version 1"
echo "1..$((${ALL:+24} + 28 + 4 + 5))"
found gcc-address use_after_free memory AddressSanitizer heap-use-after-free
of gcc
found clang-address use_after_free memory AddressSanitizer heap-use-after-free
[ -z "${ALL:-}" ] || of clang

# One call goes through two trapped functions, and is one operation.
explore --json -- "$BIN/ahead/lock_order"
plain=$(grep -oE '"(runs|points)":[0-9]+' "$out/said" | tr '\n' ' ')
explore --json -- "$BIN/ahead/lock_order_jump"
[ "$code" = 0 ] && [ -n "$plain" ] &&
	[ "$(grep -oE '"runs":[0-9]+' "$out/said" | head -n 1)" = \
	  "$(grep -oE '"runs":[0-9]+' <<<"$plain" | head -n 1)" ]
result $? 'a lock function that ends in a jump to the C library is one operation' "$plain"

# What is executed is what valgrind made of the program.
if ! command -v valgrind >/dev/null; then
	for name in run explored listed replayed; do
		result skip "valgrind: $name" 'no valgrind'
	done
else
	chess run --host -- valgrind "$BIN/ahead/lock_order"
	said 0 'ERROR SUMMARY: 0 errors' '!SIGTRAP' 'no traps in .*/ahead/lock_order'
	result $? 'valgrind: a program with threads runs'
	explore -- valgrind -q "$BIN/ahead/always"
	said 1 '^memory: ' 'found by Memcheck: ==[0-9]+== Invalid read of size 4' '!SIGTRAP'
	result $? 'valgrind: what memcheck says is a bug'
	trace=$(ls "$out"/t/*.trace)
	grep -q '^stderr .*Invalid read of size 4' "$trace" && ! grep -q "^later .*/always" "$trace"
	result $? 'valgrind: its words are in the trace, and the program had no traps'
	chess replay --host --times 3 "$trace"
	said 1 'memory reproduced.* 3 of 3 replays, records identical'
	result $? 'valgrind: it is replayed'
fi
totals
