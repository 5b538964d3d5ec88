#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the VM suites on a kernel with KASAN, lockdep and the like.  Called by
# "make check-debug"; arguments are names of suites.

set -u
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1

scripts/debug-kernel.sh || exit 1
# kbuild puts objects beside the sources, so this kernel gets a copy of them.
# Only what differs is copied, so that only that is built again.
src=build/kernel/debug-module
for f in kmod/Kbuild kmod/*.[ch] $(find include -type f); do
	cmp -s "$f" "$src/$f" && continue
	if ! mkdir -p "$src/$(dirname "$f")" || ! cp "$f" "$src/$f"; then
		echo "check-debug: no space for a copy of the module's sources in $src" >&2
		exit 1
	fi
done
scripts/build-module.sh build/kernel/debug/headers "$src" || exit 1
exec scripts/check.sh --vm-only --kernel build/kernel/debug --module "$src/kmod/chess.ko" "$@"
