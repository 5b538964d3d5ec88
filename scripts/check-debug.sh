#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the VM suites on a kernel with KASAN, lockdep and the like.  Called by
# "make check-debug"; arguments are names of suites.

set -u
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1

scripts/debug-kernel.sh || exit 1
scripts/build-module-copy.sh debug || exit 1
exec scripts/check.sh --vm-only --kernel build/kernel/debug \
	--module build/kernel/debug-module/kmod/chess.ko "$@"
