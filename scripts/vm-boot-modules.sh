#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Copy the modules that the initramfs of the embedded VM must load, found in a
# lib/modules/RELEASE directory, uncompressed to OUT; their names begin with a
# number that gives the order.  Modules built into the kernel are left out.
# Called by vm-kernel.sh and debug-kernel.sh.
#
#   vm-boot-modules.sh MODULE_DIR OUT

set -u
dir=$1
out=$2

die()
{
	echo "vm-kernel: $*" >&2
	exit 1
}

mkdir -p "$out" || die "cannot create $out"
n=10
done_list=' '

add()
{
	local path=$1 dep name

	case $done_list in *" $path "*) return ;; esac
	done_list="$done_list$path "
	for dep in $(sed -n "s|^$path: *||p" "$dir/modules.dep"); do
		add "$dep"
	done
	name=$(basename "$path")
	name=${name%%.*}.ko
	case $path in
	*.xz) xz -dc "$dir/$path" >"$out/$n-$name" ;;
	*.zst) zstd -qdc "$dir/$path" >"$out/$n-$name" ;;
	*) cp "$dir/$path" "$out/$n-$name" ;;
	esac || die "cannot write $out/$n-$name"
	n=$((n + 1))
}

for want in virtio_pci virtio_console 9p 9pnet_virtio overlay; do
	path=$(sed -n "s|^\([^:]*/$want\.ko[.a-z]*\):.*|\1|p" "$dir/modules.dep")
	if [ -n "$path" ]; then
		add "$path"
	elif ! grep -q "/$want\.ko\$" "$dir/modules.builtin"; then
		die "this kernel has no '$want', which the VM needs; use the generic flavour"
	fi
done
