#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Measure the search without a kernel, then control against the same work without
# it, all in one VM run.  Called by "make bench"; selftests/bench/bench.sh does the
# measuring and ends with one "bench NAME RATIO" line per measure.  Arguments go to
# chess-vm.

set -u
cd "$(dirname "$0")/.." || exit 1
scripts/install-deps.sh bench || exit 1
build/selftests/simulator/sim_bench icb 4 || exit 1
exec build/chess-vm --timeout 1200 "$@" -- env ROUNDS="${ROUNDS:-5}" selftests/bench/bench.sh
