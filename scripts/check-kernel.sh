#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the VM suites on another kernel of Debian than the default one, which is fetched, with
# the module built for it.  Called by "make check KERNEL=NAME" and check-kernels.sh.
#
#   check-kernel.sh KERNEL [SUITE...]	a name of scripts/vm-kernel.sh

set -u
cd "$(dirname "$0")/.." || exit 1
kernel=$1
shift

scripts/vm-kernel.sh "$kernel" || exit 1
scripts/build-module-copy.sh "$kernel" || exit 1
exec scripts/check.sh --vm-only --kernel "build/kernel/$kernel" \
	--module "build/kernel/$kernel-module/kmod/chess.ko" "$@"
