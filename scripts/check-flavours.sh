#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Load the module and all BPF objects, from the one build there is of them, on the other
# flavours of Debian's 6.12 kernel: real-time and cloud, which are fetched first. Called
# by "make check-flavours". Last line: "N passed, N failed".

set -u
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1

for flavour in rt cloud; do
	scripts/vm-kernel.sh $flavour || exit 1
	scripts/build-module-copy.sh $flavour || exit 1
done
scripts/check.sh --vm-only --kernel build/kernel/rt \
	--module build/kernel/rt-module/kmod/chess.ko flavour look | sed '$d'
scripts/check.sh cloud | sed '$d'
cat build/check/flavour-rt.sum build/check/look-rt.sum build/check/cloud.sum |
	awk '{ p += $1; f += $2 } END { print p + 0 " passed, " f + 0 " failed"; exit f > 0 || !p }'
