#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A signal comes before an op that was decided on, and its handler has points (before.c): the
# op is a point once more behind it, so that who dies of the handler is gone by then in each
# replay. Run inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build); TIMES  replays of the trace (default 50)
# Usage: before.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
BUILD=$(realpath "${BUILD:-build}")
CHESSCTL=$BUILD/chessctl
TIMES=${TIMES:-50}
# shellcheck disable=SC2034 # expect.sh reads them
LIMIT=300 PROGRAMS=$BUILD/selftests/signals
. selftests/ktap.sh
. selftests/json.sh
. selftests/expect.sh

prepare signals

echo "KTAP version 1"
echo "1..2"
bad=0
chessctl 1 explore --host --no-bpf --json --points all --strategy icb --bound 1 --out "$out/before" \
	-- "$PROGRAMS/before"
is verdict assert
is preemptions 1
look replay
trace=${value##* }
[ "$(grep -c '^event .* op=trylock' "$trace")" = 2 ] || bad=1
result $bad "a signal comes behind the point of a sync function, which has another behind it"
bad=0
chessctl 1 replay --host --json --times "$TIMES" "$trace"
is reproduced "$TIMES"
is identical "$TIMES"
result $bad "its trace replays $TIMES times, bit for bit"
totals
