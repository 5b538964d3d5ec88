#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Explores updates.c by default: an instruction that reads and writes memory without a lock
# loses what another task stores in between, and computes nothing else than a processor would;
# with a lock it loses nothing. Its trace shows it in each replay. Run inside the VM, as root,
# with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# TIMES     replays of each trace (default 100)
# LIMIT     seconds a search may take (default 200)
# Usage: updates.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
# shellcheck disable=SC2034 # said.sh reads it
LIMIT=${LIMIT:-200}
UPDATES=$BUILD/selftests/races/updates
TIMES=${TIMES:-100}
. "$here/../ktap.sh"
# shellcheck source=selftests/said.sh
. "$here/../said.sh"

need "$CHESSCTL" "$UPDATES"
own_folder updates

losing="add add8 add16 add64 sub inc dec64 and or xor not neg shl rol adc bts xadd cmpxchg"
keeping="lock_add lock_xadd"

# search ARGUMENT...: of updates
search()
{
	rm -rf "$out/t"
	chess explore --host --no-bpf --out "$out/t" -- "$UPDATES" "$@"
}

# replayed VERDICT
replayed()
{
	chess replay --host --times "$TIMES" "$out"/t/*.trace
	said 1 "^$1 reproduced: $TIMES of $TIMES replays, records identical"
}

# lost ARGUMENT...: it is found, with a load and a store in the report, and replays
lost()
{
	search "$@"
	said 1 '^assert: ' 'was about to  store ' && replayed assert
	result $? "$1: a store is lost, and so it is in $TIMES replays"
}

# right WHAT ARGUMENT...
right()
{
	local what=$1

	shift
	search "$@"
	said 0 '^ok: no bug (with at most [0-9]+ preemptions|in any schedule)'
	result $? "$1: $what"
}

echo "KTAP version 1"
echo "1..46"

for kind in $losing; do
	lost "$kind" lost
	right "nothing else comes of it" "$kind" known
done
for kind in $keeping; do
	right "no store is lost" "$kind" lost
	right "nothing else comes of it" "$kind" known
done

# What it writes is what comes of it, whatever was there.
right "nothing else comes of it" xchg known

lost fresh
lost processes
right "no handler is lost in between" handler
right "a fault is a fault" readonly
search unmapped
said 1 '^crash: ' && replayed crash
result $? "unmapped: in between, and so it is in $TIMES replays"
totals
