#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Measure control against the same work without it, all in one VM run.  Called
# by "make bench"; selftests/bench.sh does the measuring and prints one "bench
# NAME RATIO" line per measure.

set -u
cd "$(dirname "$0")/.." || exit 1
exec build/chess-vm --timeout 1200 "$@" -- selftests/bench.sh
