#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# --max-events: a record that is full ends the run and says which option to give; with
# it a run longer than the module's default is recorded, and its trace replays without
# being told. A deadlock that came before that is found. Run inside the VM, as root, with
# the module loaded.
#
# BUILD  build directory (default build)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
chessctl=$BUILD/chessctl

if [ ! -x "$chessctl" ]; then
	skip_all "no $chessctl; run make cli"
fi
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT

ktap_output=$out/got

# Two calls that are points for each block: more than the default of 131072 events.
copy=(dd if=/dev/zero of=/dev/null bs=1 count=66000 status=none)

echo "KTAP version 1"
echo "1..8"
"$chessctl" run --host --max-events 1000 -- "${copy[@]}" >"$out/got" 2>&1
code=$?
grep -q 'incomplete: the record of the run is full after 1000 events.*--max-events' "$out/got"
result $? full_record_ends_the_run_and_names_the_option
[ $code = 124 ] && grep -q 'was ended by chessctl .*exit code 124' "$out/got"
result $? what_was_ended_has_an_exit_code_of_its_own
"$chessctl" run --host -- "${copy[@]}" >"$out/got" 2>&1 && [ ! -s "$out/got" ]
result $? without_a_record_there_is_no_limit
# More than the record has room for, and then a lock that is taken twice is not in it.
"$chessctl" run --host -- python3 -c 'import os, threading
zero = os.open("/dev/zero", os.O_RDONLY)
for i in range(140000): os.read(zero, 1)
lock = threading.Lock(); lock.acquire(); lock.acquire()' >"$out/got" 2>&1
[ $? = 124 ] && grep -q '^deadlock' "$out/got"
result $? a_deadlock_beyond_the_record_ends_the_run
"$chessctl" run --host --record "$out/full.trace" -- "${copy[@]}" >"$out/got" 2>&1
grep -q 'full after 131072 events' "$out/got"
result $? the_default_is_what_the_manual_says
"$chessctl" run --host --max-events 200000 --record "$out/long.trace" -- "${copy[@]}" \
	>"$out/got" 2>&1 && [ ! -s "$out/got" ]
result $? more_events_on_demand
"$chessctl" replay --host "$out/long.trace" >"$out/got" 2>&1 &&
	grep -q 'reproduced.*1 of 1 replays' "$out/got"
result $? replay_takes_its_capacity_from_the_trace
# Two of its tasks wait for each other from event 28 on. The third ticks until the record is
# full, long before anybody looks.
"$chessctl" explore --host --no-bpf --bound 0 --max-events 100 --out "$out/ticking" \
	-- "$BUILD/selftests/programs/wrong/partial_deadlock" >"$out/got" 2>&1
found=$?
"$chessctl" replay --host --times 5 "$out"/ticking/*.trace >>"$out/got" 2>&1
[ $found = 1 ] && grep -q '^deadlock of some' "$out/got" &&
	grep -q 'deadlock reproduced.*5 of 5 replays' "$out/got"
result $? deadlock_of_some_counts_in_a_record_that_is_full

totals
