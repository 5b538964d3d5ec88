#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Signals, page faults and debuggers between two pieces of a copy (copied.c): a torn copy is
# found and replays, and whatever else happens there, memory is in the end what it is without
# control. Run inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build); TIMES  replays of each trace (default 100)
# Usage: copied.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
cd "$(dirname "$0")/../.." || exit 1
TIMES=${TIMES:-100}
. selftests/expect.sh

suite signals
program=$PROGRAMS/copied

# searched HOW MODE CODE VERDICT [OPTION...]
searched()
{
	local how=$1 mode=$2 code=$3 verdict=$4

	shift 4
	bad=0
	chessctl "$code" explore --host --no-bpf --json --bound 1 --out "$out/$how-$mode" "$@" \
		-- "$program" "$how" "$mode"
	is verdict "$verdict"
}

echo "KTAP version 1"
echo "1..19"
for how in string call; do
	searched $how seen 1 assert
	found_replays "$TIMES"
	result $bad "a handler sees a $how half copied, in $TIMES of $TIMES replays"
	for mode in return jump fork exec kill protected; do
		searched $how $mode 0 ok
		result $bad "memory is as without control: $how $mode"
	done
	# Each step is a point, and most are of what comes before and after the copy.
	searched $how stepped 4 incomplete --runs 10
	result $bad "memory is as without control: $how stepped"
done
for mode in elsewhere shorter; do
	searched string $mode 0 ok
	result $bad "registers are changed between two pieces: string $mode"
done
# The wait for a page is no call, so the task stalls.
"$program" string served 2>/dev/null
if [ $? = 77 ]; then
	result skip "what was copied before a page was served is not copied again" "no userfaultfd"
else
	searched string served 4 incomplete
	result $bad "what was copied before a page was served is not copied again"
fi
totals
