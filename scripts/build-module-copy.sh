#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build the module for another kernel than the default one. kbuild puts objects beside
# the sources, so each kernel gets a copy of them: build/kernel/NAME-module. Only what
# differs is copied, so that only that is built again.
#
#   build-module-copy.sh NAME	for build/kernel/NAME/headers

set -u
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1
src=build/kernel/$1-module
# Those that end in .mod.c kbuild made, for one kernel.
list_sources()
{
	find kmod include -type f \( -name Kbuild -o -name '*.[ch]' \) ! -name '*.mod.c'
}

[ -d "$src" ] && for f in $(cd "$src" && list_sources); do
	[ -e "$f" ] || rm "$src/$f"
done
for f in $(list_sources); do
	cmp -s "$f" "$src/$f" && continue
	if ! mkdir -p "$src/$(dirname "$f")" || ! cp "$f" "$src/$f"; then
		echo "kmod: no space for a copy of the module's sources in $src" >&2
		exit 1
	fi
done
exec scripts/build-module.sh "build/kernel/$1/headers" "$src"
