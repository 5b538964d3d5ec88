#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The fast part of the determinism tests, in one VM: 500 runs of one prefix with
# forced switches, fewer of the empty one.  Called by "make check" inside the VM.
# A kernel with KASAN is about ten times slower: a tenth of the runs there.
#
# RUNS, DEFAULT_RUNS  how many; BUILD  build directory (default build)

cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
# chess-vm boots without; what a user's machine has must not be seen.
echo 2 >/proc/sys/kernel/randomize_va_space || exit 1
tenth=1
grep -q ' kasan_report$' /proc/kallsyms && tenth=10
exec "$BUILD/selftests/determinism/hash_test" --points 1000 \
	--runs "${RUNS:-$((500 / tenth))}" --default-runs "${DEFAULT_RUNS:-$((50 / tenth))}" \
	-- "$BUILD/selftests/programs/long"
