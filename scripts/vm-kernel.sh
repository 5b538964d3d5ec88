#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Fetch a kernel of Debian 12 for the embedded VM, the newest of its line, and
# unpack it below build/kernel/NAME; nothing is installed on the host.  Called by
# "make vm-kernel" and by everything that needs a kernel to build for or to boot.
#
#   vm-kernel.sh [generic|rt|cloud]		of 6.12, from bookworm-security
#   vm-kernel.sh 6.1|6.1-rt|6.1-cloud		of 6.1, which Debian 12 installs
#   vm-kernel.sh trixie|trixie-rt		of Debian 13
#   vm-kernel.sh sid|sid-rt			the newest that Debian has
#
# Another suite is asked at the mirror that apt uses here, with lists of its own.
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

name=${1:-generic}
top=$(cd "$(dirname "$0")/.." && pwd)
dest=$top/build/kernel/$name
need_mb=450

die()
{
	echo "vm-kernel: $*" >&2
	exit 1
}

case $name in
generic|6.1|trixie|sid)	 flavour= ;;
rt|6.1-rt|trixie-rt|sid-rt) flavour=rt- ;;
cloud|6.1-cloud)	 flavour=cloud- ;;
*) die "asked for the kernel '$name', but there are only generic, rt, cloud, 6.1, 6.1-rt, 6.1-cloud," \
	"trixie, trixie-rt, sid, sid-rt" ;;
esac
suffix=${flavour}amd64
suite=
# What the build tools of another suite need, and the BTF of a module.
tool_debs="libc6 libelf1t64 zlib1g libzstd1 libdw1t64 libbz2-1.0 liblzma5 libbpf1 pahole"
case $name in
6.1*)	 line=6.1 images="6\.1\.0-[0-9]+-$suffix" ;;
trixie*) line=6.12 images="6\.12\.[0-9]+\+deb13-$suffix" suite=trixie ;;
sid*)	 line=new images="[7-9]\.[0-9]+\.[0-9]+\+deb[0-9]+-$suffix" suite=sid
	 tool_debs="$tool_debs libdwarves1" ;;
*)	 line=6.12 images="6\.12\.[0-9]+\+deb12-$suffix" ;;
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
apt_options=(-o APT::Sandbox::User=root)
if [ -n "$suite" ]; then
	apt_dir=$top/build/kernel/.apt-$suite
	site=$(apt-get indextargets --format '$(SITE) $(CODENAME)' 'Created-By: Packages' |
	       awk '$2 == "bookworm" { print $1; exit }')
	[ -n "$site" ] || die "apt knows no mirror of Debian 12 here, so none of $suite either"
	mkdir -p "$apt_dir/lists/partial" || die "cannot write below $top/build/kernel"
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $site $suite main" \
		>"$apt_dir/sources.list"
	apt_options+=(-o "Dir::Etc::sourcelist=$apt_dir/sources.list" -o Dir::Etc::sourceparts=-
		-o "Dir::State::lists=$apt_dir/lists" -o "Dir::Cache::pkgcache=" -o "Dir::Cache::srcpkgcache=")
fi
apt_get() { apt-get -q "${apt_options[@]}" "$@" </dev/null >>"$tmp/apt.log" 2>&1; }
apt_cache() { apt-cache "${apt_options[@]}" "$@"; }
last_words() { grep -aE '^(E|Err|W):?' "$tmp/apt.log" | tail -n 1; }

# Sets release and debs to the newest kernel of which apt offers every part.
find_release()
{
	local image rel common pkg ok

	release=
	while read -r image; do
		rel=${image#linux-image-}
		common=${rel%-"$suffix"}
		# The real-time kernel has common headers of its own.
		debs="linux-image-$rel linux-headers-$rel linux-headers-$common-common"
		[ "$flavour" = rt- ] && debs=$debs-rt
		if [ $line = 6.1 ]; then
			debs="$debs linux-kbuild-6.1"
		else
			debs="$debs linux-kbuild-$common"
		fi
		[ $line = new ] &&
			debs="$debs linux-base-$rel linux-binary-$rel linux-modules-$rel"
		# For its build tools, see wrap_tools().
		[ -n "$suite" ] && debs="$debs $tool_debs"
		ok=yes
		for pkg in $debs; do
			case " $tool_debs " in *" $pkg "*) continue ;; esac
			apt_cache show --no-all-versions "$pkg" >/dev/null 2>&1 || ok=no
		done
		[ $ok = yes ] && release=$rel && return 0
	done < <(apt_cache search --names-only "^linux-image-$images\$" |
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
	local image=$1 sects start len tool="zstd -q -d"

	sects=$(number_at "$image" 497 1)
	start=$(((sects + 1) * 512 + $(number_at "$image" 584 4)))
	len=$(number_at "$image" 588 4)
	# xz: its stream is padded, and followed by the size.
	[ "$(number_at "$image" $start 4)" = 1484404733 ] && tool="xz -d --single-stream"
	tail -c +$((start + 1)) "$image" | head -c $((len - 4)) | $tool >"$2" 2>/dev/null &&
		[ "$(head -c 4 "$2" | tail -c 3)" = ELF ]
}

if ! fetch; then
	# No package lists yet, or lists older than the mirror.
	[ "$(id -u)" = 0 ] ||
		die "apt offers no complete Linux $line ($suffix) here" \
		    "(its lists may be old); run 'apt-get update' as root and try again"
	apt_get -o APT::Update::Error-Mode=any update || die "'apt-get update' failed: $(last_words)"
	find_release ||
		die "apt offers no Linux $line ($suffix) with headers;" \
		    "add Debian 12's bookworm-security to the apt sources"
	fetch || die "downloading $debs failed: $(last_words)"
fi

# Tools that were built for a newer C library than there is here run with that.
wrap_tools()
{
	local tool

	{
		find "$tmp"/root/usr/lib/linux-kbuild-* -type f -perm -u+x
		echo "$tmp/root/libs/usr/bin/pahole"
	} | while read -r tool; do
		[ "$(head -c 4 "$tool" | tail -c 3)" = ELF ] || continue
		ldd "$tool" 2>&1 | grep -q 'not found' || continue
		mv "$tool" "$tool.elf" &&
		cat >"$tool" <<-'END' && chmod +x "$tool" || return 1
			#!/bin/sh
			tool=$(readlink -f "$0")
			libs=${tool%/usr/lib/linux-kbuild-*}
			libs=${libs%/libs/usr/bin/*}/libs/usr/lib/x86_64-linux-gnu
			exec "$libs/ld-linux-x86-64.so.2" --library-path "$libs" "$tool.elf" "$@"
		END
	done
	ln -s libs/usr/bin/pahole "$tmp/root/pahole"
}

for deb in "$tmp"/*.deb; do
	to=$tmp/root
	for tool in $tool_debs; do
		case ${deb##*/} in "$tool"_*) to=$tmp/root/libs ;; esac
	done
	mkdir -p "$to"
	dpkg-deb -x "$deb" "$to" 2>"$tmp/dpkg.log" ||
		die "unpacking $(basename "$deb") failed: $(tail -n 1 "$tmp/dpkg.log")"
	rm -f "$deb"
done

# Headers.  The packages expect to live in /usr; their links are relative,
# only the top makefile names its partner by an absolute path.
src=$tmp/root/usr/src
[ -f "$src/linux-headers-$release/Makefile" ] || die "the headers of $release have no Makefile"
here='$(dir $(lastword $(MAKEFILE_LIST)))'
sed -i "s|^include /usr/src/|include $here../|; s|^KBUILD_OUTPUT=/usr/src/.*|KBUILD_OUTPUT:=$here|" \
	"$src/linux-headers-$release/Makefile"
ln -s "usr/src/linux-headers-$release" "$tmp/root/headers"
rm -rf "$tmp/root/usr/share"
for arch in "$src"/linux-headers-*/arch/*; do
	case ${arch##*/} in
	x86|Kconfig) ;;
	*) rm -rf "$arch" ;;
	esac
done

if [ -n "$suite" ]; then
	wrap_tools || die "cannot write below $tmp"
	rm -rf "$tmp/root/libs/usr/share"
fi

# Modules: hardware the VM does not have goes.
if [ -d "$tmp/root/usr/lib/modules" ]; then
	mkdir -p "$tmp/root/lib" && mv "$tmp/root/usr/lib/modules" "$tmp/root/lib/modules" ||
		die "cannot write below $tmp"
fi
moddir=$tmp/root/lib/modules/$release
# Newer packages have these there.
for file in vmlinuz config System.map; do
	[ -e "$moddir/$file" ] || continue
	mkdir -p "$tmp/root/boot" && mv "$moddir/$file" "$tmp/root/boot/$file-$release" ||
		die "cannot write below $tmp"
done
(cd "$moddir/kernel" && rm -rf sound &&
 find drivers -name '*.ko*' ! -path 'drivers/block/*' ! -path 'drivers/virtio/*' \
	! -name 'virtio*' ! -name 'veth*' ! -name 'dummy*' ! -name 'tun*' -delete &&
 find . -type d -empty -delete) || die "cannot remove unused modules"
rm -f "$moddir/build" "$moddir/source"
depmod -b "$tmp/root" "$release" 2>"$tmp/depmod.log" ||
	die "depmod failed: $(tail -n 1 "$tmp/depmod.log")"
mkdir "$tmp/root/modules" && mv "$tmp/root/lib" "$tmp/root/modules/lib" ||
	die "cannot write below $tmp"
# The cloud kernel has no 9p, so chess-vm cannot use it; check-flavours.sh boots it.
if [ "$flavour" = cloud- ]; then
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
	die "cannot take the ELF image out of vmlinuz-$release (it is compressed neither with zstd nor with xz)"

echo "$release" >"$tmp/root/release" && sync -f "$tmp/root/release" || die "no space for $dest"
rm -rf "$dest" && mv "$tmp/root" "$dest" || die "cannot write $dest"
echo "vm-kernel: $release is in ${dest#"$PWD"/}"
