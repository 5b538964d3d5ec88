#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Holds `explore` as it is by default against programs/races/default/: each is built as it
# stands, which is wrong and must be found, with a trace that replays, and with -DMENDED, which
# must be ok and have no race. Run inside the VM, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# TIMES     replays per trace (default 100)
# Usage: default.sh [NAME...], all without names; KTAP on stdout; exit 0 passed, 1 failed, 4
# skipped.

# shellcheck disable=SC2154 # what the files below set
here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
TIMES=${TIMES:-100}
# shellcheck disable=SC2034 # expect.sh reads it: seconds one chessctl may take
LIMIT=300
SOURCES=$here/../programs/races/default
PROGRAMS=$BUILD/selftests/programs/races/default
. "$here/../ktap.sh"
. "$here/../json.sh"
. "$here/../expect.sh"

prepare default

names=("$@")
if [ $# -eq 0 ]; then
	for source in "$SOURCES"/*.c "$SOURCES"/*.cc; do
		source=${source##*/}
		names+=("${source%.*}")
	done
fi

echo "KTAP version 1"
echo "1..$((${#names[@]} * 4))"
for name in "${names[@]}"; do
	explore_wrong "$(echo "$SOURCES/$name".c*)" "$PROGRAMS/$name"
	result $bad "$name is found"
	replays "$name"
	bad=0
	chessctl 0 explore --host --no-bpf --json --out "$out/mended" -- "$PROGRAMS/${name}_mended"
	is verdict ok
	is complete true
	result $bad "$name is ok when it is mended"
	bad=0
	chessctl 0 races --host --json --out "$out/mended" -- "$PROGRAMS/${name}_mended"
	is verdict ok
	result $bad "$name has no race then"
done
totals
