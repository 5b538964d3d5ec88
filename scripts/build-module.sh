#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build kmod/chess.ko against a kernel's build directory.  Called by "make
# kmod" and build-module-copy.sh.
#
#   build-module.sh KDIR [SOURCE_DIR] [kbuild variables...]
#
# SOURCE_DIR (default: the checkout) holds kmod/ and include/; another one is
# for a second kernel, since kbuild writes its objects beside the sources.

set -u
kdir=$1
shift
top=$(cd "$(dirname "$0")/.." && pwd)
src=$top
if [ $# -gt 0 ] && [ -d "$1" ]; then
	src=$(cd "$1" && pwd)
	shift
fi
[ -f "$kdir/Makefile" ] && [ -f "$kdir/Module.symvers" ] || {
	echo "kmod: '$kdir' is not a kernel build directory; give KDIR=... or run 'make vm-kernel'" >&2
	exit 1
}
# What is there from another kernel would be taken for this one's.
stamp=$src/kmod/.module-kdir
real=$(realpath "$kdir")
if [ "$(cat "$stamp" 2>/dev/null)" != "$real" ]; then
	find "$src/kmod" \( -name '*.o' -o -name '*.ko' -o -name '*.mod' -o -name '*.mod.c' \
		-o -name '.*.cmd' \) -delete
	echo "$real" >"$stamp"
fi
# Debian's headers name the compiler of the kernel, which another release need not have.
cc=$(sed -n 's/^CC = .*CROSS_COMPILE)//p' "$kdir/.kernelvariables" 2>/dev/null)
if [ -n "$cc" ] && ! command -v "$cc" >/dev/null; then
	# What older compilers do not know, with what the kernel has for them.
	set -- "$@" CC=gcc CONFIG_CC_HAS_MIN_FUNCTION_ALIGNMENT=
fi
# The types of a module are described as those of its kernel.
pahole=$(realpath "$kdir/../../../pahole" 2>/dev/null)
[ -x "$pahole" ] && set -- "$@" PAHOLE="$pahole"
# Our O= and BUILD= are not kbuild's.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES O BUILD
exec make -j"$(nproc)" --no-print-directory -C "$kdir" M="$src/kmod" "$@" modules
