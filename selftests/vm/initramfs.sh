# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# A root file system for machines that cannot see the files of this one, without 9p or
# virtio: to be sourced from the top of the tree.

# initramfs DIR MODULE COMMAND FILE... -- TOOL...: makes DIR/initramfs, an archive with
# first.c as its first process, which loads MODULE and runs COMMAND in a copy of the tree
# that has no more than the FILEs; with programs of this machine as its TOOLs, and the
# libraries that all of them need.
initramfs()
{
	local root=$1/root module=$2 command=$3 file library programs=()

	mkdir -p "$root"/{proc,sys,dev,tmp,usr,bin} || return 1
	gcc -O2 -Wall -static -o "$root/init" selftests/vm/first.c || return 1
	initramfs_put "$root" "$module" chess.ko || return 1
	shift 3
	while [ "$1" != -- ]; do
		initramfs_put "$root" "$1" "work/$1" || return 1
		programs+=("$1")
		shift
	done
	shift
	for file; do
		initramfs_put "$root" "$(command -v "$file")" "bin/$file" || return 1
		programs+=("$(command -v "$file")")
	done
	# Both names of a merged /usr.
	while read -r library; do
		initramfs_put "$root" "$library" "$library" || return 1
	done < <(for file in "${programs[@]}"; do ldd "$file" 2>/dev/null; done |
		grep -o '/[^ ]*' | sort -u)
	echo "export PATH=/bin; cd /work && exec $command" >"$root/run"
	(cd "$root" && find . | cpio -o -H newc --quiet) >"$root/../initramfs"
}

# initramfs_put ROOT FILE NAME
initramfs_put()
{
	mkdir -p "$1/$(dirname "$3")" && cp -L "$2" "$1/$3"
}
