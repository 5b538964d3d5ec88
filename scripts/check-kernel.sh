#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the VM suites on another kernel than the default one, with the module built for it. The
# kernel is fetched; "debug", with KASAN, lockdep and the like, is built.  Called by "make
# check KERNEL=NAME", "make check-debug" and check-kernels.sh.
#
#   check-kernel.sh debug|KERNEL [SUITE...]	a name of scripts/vm-kernel.sh

set -u
cd "$(dirname "$0")/.." || exit 1
kernel=$1
shift

if [ "$kernel" = debug ]; then
	scripts/debug-kernel.sh || exit 1
else
	scripts/vm-kernel.sh "$kernel" || exit 1
fi
[ -s "build/kernel/$kernel/headers/Module.symvers" ] || {
	echo "check-kernel: what modules are built with is missing in build/kernel/$kernel/headers;" \
		"remove build/kernel/$kernel to have it made again" >&2
	exit 1
}
scripts/build-module-copy.sh "$kernel" || exit 1
exec scripts/check.sh --vm-only --kernel "build/kernel/$kernel" \
	--module "build/kernel/$kernel-module/kmod/chess.ko" "$@"
