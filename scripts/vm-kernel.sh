#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Fetch Debian's newest 6.12 kernel for the embedded VM and unpack it below
# build/kernel/FLAVOUR; nothing is installed on the host.  Called by "make
# vm-kernel" and by everything that needs a kernel to build for or to boot.
#
#   vm-kernel.sh [generic|rt|cloud]
#
# Leaves  vmlinux   ELF image, booted directly (decompressing costs a second)
#         vmlinuz   the image as packaged
#         headers   build directory for "make -C ... M=$PWD/kmod"
#         modules   lib/modules/RELEASE below it, with modules.dep
#         boot      the modules the initramfs needs, uncompressed, in order
#         release   the release string; written last, so it means "complete"

set -u
umask 022
export LC_ALL=C

flavour=${1:-generic}
top=$(cd "$(dirname "$0")/.." && pwd)
dest=$top/build/kernel/$flavour
need_mb=450

die()
{
	echo "vm-kernel: $*" >&2
	exit 1
}

case $flavour in
generic) suffix=amd64 ;;
rt)	 suffix=rt-amd64 ;;
cloud)	 suffix=cloud-amd64 ;;
*)	 die "asked for the flavour '$flavour', but there are only generic, rt and cloud" ;;
esac

[ -s "$dest/release" ] && exit 0

mkdir -p "$top/build/kernel" 2>/dev/null ||
	die "cannot create $top/build/kernel; make it writable or free some space"
exec 9>"$top/build/kernel/.lock" || die "cannot write below $top/build/kernel"
flock 9
[ -s "$dest/release" ] && exit 0

for tool in apt-get apt-cache dpkg-deb depmod xz zstd flock; do
	command -v $tool >/dev/null ||
		die "needs '$tool', which is not installed; run scripts/install-deps.sh"
done
free_mb=$(df -Pm "$top/build/kernel" | awk 'NR == 2 { print $4 }')
[ "${free_mb:-0}" -ge $need_mb ] ||
	die "needs $need_mb MB below $top/build/kernel, only $free_mb MB are free"

tmp=$(mktemp -d "$top/build/kernel/.tmp.XXXXXX") || die "cannot write below $top/build/kernel"
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM HUP

# The sandbox user "_apt" could not write into a directory of ours.
apt_get() { apt-get -q -o APT::Sandbox::User=root "$@" </dev/null >>"$tmp/apt.log" 2>&1; }
last_words() { grep -aE '^(E|Err|W):?' "$tmp/apt.log" | tail -n 1; }

# Sets release and debs to the newest kernel of which apt offers every part.
find_release()
{
	local name rel common pkg ok

	release=
	while read -r name; do
		rel=${name#linux-image-}
		common=${rel%-"$suffix"}
		debs="linux-image-$rel linux-headers-$rel linux-headers-$common-common linux-kbuild-$common"
		# The real-time kernel has common headers of its own.
		[ "$flavour" = rt ] && debs=${debs/-common /-common-rt }
		ok=yes
		for pkg in $debs; do
			apt-cache show --no-all-versions "$pkg" >/dev/null 2>&1 || ok=no
		done
		[ $ok = yes ] && release=$rel && return 0
	done < <(apt-cache search --names-only "^linux-image-6\.12\.[0-9]+\+deb12-$suffix\$" |
		 awk '{ print $1 }' | sort -Vr)
	return 1
}

fetch()
{
	find_release || return 1
	# shellcheck disable=SC2086 # a list of words
	(cd "$tmp" && apt_get download $debs)
}

# A little-endian number of SIZE bytes at OFFSET of FILE.
number_at() { od -An -v -t "u$3" -j "$2" -N "$3" "$1" | tr -d ' '; }

# The boot protocol's setup header says where the compressed kernel is; the
# last four bytes of it are the uncompressed size.
extract_vmlinux()
{
	local image=$1 sects start len

	sects=$(number_at "$image" 497 1)
	start=$(((sects + 1) * 512 + $(number_at "$image" 584 4)))
	len=$(number_at "$image" 588 4)
	tail -c +$((start + 1)) "$image" | head -c $((len - 4)) | zstd -q -d >"$2" 2>/dev/null &&
		[ "$(head -c 4 "$2" | tail -c 3)" = ELF ]
}

if ! fetch; then
	# No package lists yet, or lists older than the mirror.
	[ "$(id -u)" = 0 ] ||
		die "apt offers no complete linux-image-6.12*+deb12-$suffix here" \
		    "(its lists may be old); run 'apt-get update' as root and try again"
	apt_get -o APT::Update::Error-Mode=any update || die "'apt-get update' failed: $(last_words)"
	find_release ||
		die "apt offers no linux-image-6.12*+deb12-$suffix with headers;" \
		    "add Debian 12's bookworm-security to the apt sources"
	fetch || die "downloading $debs failed: $(last_words)"
fi

for deb in "$tmp"/*.deb; do
	dpkg-deb -x "$deb" "$tmp/root" 2>"$tmp/dpkg.log" ||
		die "unpacking $(basename "$deb") failed: $(tail -n 1 "$tmp/dpkg.log")"
	rm -f "$deb"
done

# Headers.  The packages expect to live in /usr; their links are relative,
# only the top makefile names its partner by an absolute path.
src=$tmp/root/usr/src
[ -f "$src/linux-headers-$release/Makefile" ] || die "the headers of $release have no Makefile"
sed -i 's|^include /usr/src/|include $(dir $(lastword $(MAKEFILE_LIST)))../|' \
	"$src/linux-headers-$release/Makefile"
ln -s "usr/src/linux-headers-$release" "$tmp/root/headers"
rm -rf "$tmp/root/usr/share"
for arch in "$src"/linux-headers-*/arch/*; do
	case ${arch##*/} in
	x86|Kconfig) ;;
	*) rm -rf "$arch" ;;
	esac
done

# Modules: hardware the VM does not have goes.
moddir=$tmp/root/lib/modules/$release
(cd "$moddir/kernel" && rm -rf sound &&
 find drivers -name '*.ko.xz' ! -path 'drivers/block/*' ! -path 'drivers/virtio/*' \
	! -name 'virtio*' ! -name 'veth*' ! -name 'dummy*' ! -name 'tun*' -delete &&
 find . -type d -empty -delete) || die "cannot remove unused modules"
rm -f "$moddir/build" "$moddir/source"
depmod -b "$tmp/root" "$release" 2>"$tmp/depmod.log" ||
	die "depmod failed: $(tail -n 1 "$tmp/depmod.log")"
mkdir "$tmp/root/modules" && mv "$tmp/root/lib" "$tmp/root/modules/lib" ||
	die "cannot write below $tmp"
# The cloud kernel has no 9p, so chess-vm cannot use it; check-flavours.sh boots it.
if [ "$flavour" = cloud ]; then
	mkdir "$tmp/root/boot.d" || die "cannot write below $tmp"
else
	"$top/scripts/vm-boot-modules.sh" "$tmp/root/modules/lib/modules/$release" \
		"$tmp/root/boot.d" || exit 1
fi

# Images.
mv "$tmp/root/boot/vmlinuz-$release" "$tmp/root/vmlinuz" &&
mv "$tmp/root/boot/config-$release" "$tmp/root/config" &&
mv "$tmp/root/boot/System.map-$release" "$tmp/root/System.map" &&
rm -rf "$tmp/root/boot" && mv "$tmp/root/boot.d" "$tmp/root/boot" ||
	die "the image package of $release lacks a file below /boot"
extract_vmlinux "$tmp/root/vmlinuz" "$tmp/root/vmlinux" ||
	die "cannot take the ELF image out of vmlinuz-$release (is it still compressed with zstd?)"

echo "$release" >"$tmp/root/release" && sync -f "$tmp/root/release" || die "no space for $dest"
rm -rf "$dest" && mv "$tmp/root" "$dest" || die "cannot write $dest"
echo "vm-kernel: $release is in ${dest#"$PWD"/}"
