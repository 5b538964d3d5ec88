#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Acknowledgements of TCP do not depend on how long a program computes: records are the same
# where it takes longer than the kernel delays them. Run inside the VM, as root, with the module
# loaded.
#
# BUILD  build directory (default build)
# TIMES  replays of each kind (default 3)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
TIMES=${TIMES:-3}
chessctl=$BUILD/chessctl
# A delay is 40 ms; this is half a second in the emulated machine, and 100 ms in a fast one.
LONG=60000000

need "$chessctl" "$BUILD/selftests/inputs/late_ack"
command -v ip >/dev/null || skip_all "no ip (package iproute2)"
own_folder late_ack
near "$BUILD/selftests/inputs/late_ack"
cp "$BUILD/selftests/inputs/late_ack" "$out/" && cd "$out" || exit 1

# Numbers of equal length: what read() returned is in the record.
rounds() { printf '%010d\n' "$1" >rounds; }

# same FAMILY OPTION...: a record made without computing is that of runs that compute
same()
{
	local family=$1

	shift
	rounds 0
	"$chessctl" run --host "$@" --record trace -- ./late_ack "$family" >said 2>&1 || return
	rounds $LONG
	"$chessctl" replay --host --times "$TIMES" --json trace >said 2>&1
	grep -q "\"identical\": *$TIMES\b" said
}

# delay 0|1: acknowledgements are sent at once, or not
delay()
{
	local to

	for to in 127.0.0.0/8 127.0.0.1; do
		ip route replace local $to dev lo proto kernel scope host src 127.0.0.1 \
			table local quickack $((1 - $1)) || return
	done
}

# Without the routes of chess the same test fails, so it sees what it is for.
is_seen_when_late()
{
	local status

	delay 1 || return
	! same 4 && grep -q '"identical": *0\b' said
	status=$?
	delay 0 && return $status
}

echo "KTAP version 1"
echo "1..4"
same 4
result $? records_do_not_depend_on_time_with_ipv4
same 6
result $? records_do_not_depend_on_time_with_ipv6
same 4 --no-network
result $? nor_in_a_network_of_the_run
is_seen_when_late
result $? with_delayed_acknowledgements_the_same_program_diverges
totals
