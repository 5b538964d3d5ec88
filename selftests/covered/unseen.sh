#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What no search covers is never "ok": unseen.c for each cause, with options as they are, and for
# what looks the same and is covered. Run inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build)
# TIMES  replays of a trace (default 100)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
cd "$(dirname "$0")/../.." || exit 1
TIMES=${TIMES:-100}
. selftests/expect.sh

suite covered

# incomplete NAME WAY WORD...
incomplete()
{
	local name=$1 way=$2 value

	shift 2
	bad=0
	chessctl 4 explore --host --no-bpf --json --bound 1 --out "$out/t" -- "$PROGRAMS/unseen" "$way"
	is verdict incomplete
	look why
	case $value in *"$*"*) ;; *) bad=1 ;; esac
	result $bad "$name is not 'ok'"
}

# ok NAME WAY
ok()
{
	bad=0
	chessctl 0 explore --host --no-bpf --json --bound 1 --out "$out/t" -- "$PROGRAMS/unseen" "$2"
	is verdict ok
	is complete true
	result $bad "$1 is"
}

echo "KTAP version 1"
echo "1..18"
incomplete "printf() in a handler and where it interrupts" handler "a signal handler uses a stream"
ok "where the signal is blocked, it" masked
ok "of a handler alone, it" alone
incomplete "a stream that was opened" file "a signal handler uses a stream"
ok "a handler with a stream of its own" streams
incomplete "wprintf() and putwchar()" wide "a signal handler uses a stream"
incomplete "memory in a pipe" pipe "vmsplice() gave memory to a pipe"
incomplete "an io_uring with a thread" ring "the kernel fetches requests of an io_uring"
incomplete "a filter for all threads" filter "a seccomp filter was put on other threads"
ok "a filter for the caller" own_filter
incomplete "a limit of another process" limit "a process set a limit of another one"
ok "a limit of the own process" own_limit
incomplete "setlocale() beside a thread" locale "setlocale() was called beside other threads"
ok "setlocale() before there is one" early_locale
ok "setlocale() in a process of its own" childs_locale
bad=0
chessctl 1 explore --host --no-bpf --json --out "$out/peek" -- "$PROGRAMS/unseen" peek
is verdict assert
result $bad "words of a traced process are read between its writes"
found_replays "$TIMES"
result $bad "the trace replays $TIMES times"
ok "words of a process that was stopped before them" peek_stopped
totals
