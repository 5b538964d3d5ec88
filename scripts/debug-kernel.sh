#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build a kernel for "make check-debug" from Debian's linux-source-6.12:
# tinyconfig plus selftests/debug.config (KASAN, lockdep, atomic sleep, ...).
# Leaves the layout of vm-kernel.sh in build/kernel/debug, which is complete without the
# sources.  Takes about half an hour on two cores, once.

set -u
export LC_ALL=C
top=$(cd "$(dirname "$0")/.." && pwd)
dest=$top/build/kernel/debug
work=$top/build/kernel/debug-build
config=$top/selftests/debug.config
need_mb=6000

die()
{
	echo "debug-kernel: $*" >&2
	exit 1
}

stamp=$(sha256sum "$config" | cut -c 1-16)
[ -s "$dest/release" ] && [ -s "$dest/headers/Module.symvers" ] &&
	[ "$(cat "$dest/stamp" 2>/dev/null)" = "$stamp" ] && exit 0
"$top/scripts/install-deps.sh" debug || exit 1

mkdir -p "$top/build/kernel" || die "cannot create $top/build/kernel"
exec 9>"$top/build/kernel/.lock-debug" || die "cannot write below $top/build/kernel"
flock 9
free_mb=$(df -Pm "$top/build/kernel" | awk 'NR == 2 { print $4 }')
[ "${free_mb:-0}" -ge $need_mb ] ||
	die "needs $need_mb MB below $top/build/kernel, only $free_mb MB are free"

mkdir -p "$work"
if [ ! -f "$work/src/Makefile" ]; then
	rm -rf "$work/deb" "$work/src"
	mkdir -p "$work/deb" "$work/src"
	(cd "$work/deb" && apt-get -q -o APT::Sandbox::User=root download linux-source-6.12) \
		</dev/null >"$work/apt.log" 2>&1 ||
		die "cannot download linux-source-6.12: $(grep -a '^E:' "$work/apt.log" | tail -n 1)"
	dpkg-deb -x "$work"/deb/*.deb "$work/deb/x" &&
		tar -C "$work/src" --strip-components=1 -xf "$work"/deb/x/usr/src/linux-source-*.tar.xz ||
		die "unpacking linux-source-6.12 failed; is there enough space in $work?"
	rm -rf "$work/deb"
fi

cd "$work/src" || exit 1
echo "debug-kernel: building $(make -s kernelversion) in ${work#"$top"/}, this takes a while"
{
	make -s tinyconfig &&
		scripts/kconfig/merge_config.sh -m .config "$config" &&
		make -s olddefconfig
} </dev/null >"$work/config.log" 2>&1 || die "configuring failed; see $work/config.log"
# olddefconfig drops in silence what lacks a dependency.
while read -r line; do
	case $line in
	CONFIG_*=n) ! grep -q "^${line%=n}=" .config ;;
	CONFIG_*) grep -qx "$line" .config ;;
	*) true ;;
	esac || die "the option $line of $config did not take; it lacks a dependency"
done <"$config"
make -j"$(nproc)" LOCALVERSION=-chess-debug bzImage modules </dev/null >"$work/build.log" 2>&1 ||
	die "the build failed: $(grep -m 1 -E 'error|Error' "$work/build.log"); see $work/build.log"

# What modules are built with, as the kernel's own packages have it; its types are in vmlinux.
keep_headers()
{
	make -s LOCALVERSION=-chess-debug run-command \
		KBUILD_RUN_COMMAND="+\$(srctree)/scripts/package/install-extmod-build $tmp/headers" \
		</dev/null >>"$work/build.log" 2>&1 &&
		cp .config "$tmp/headers/.config" && ln -s ../vmlinux "$tmp/headers/vmlinux"
}

release=$(make -s LOCALVERSION=-chess-debug kernelrelease)
tmp=$top/build/kernel/.debug.$$
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/modules" &&
	make -s LOCALVERSION=-chess-debug INSTALL_MOD_PATH="$tmp/modules" modules_install \
		</dev/null >>"$work/build.log" 2>&1 &&
	cp arch/x86/boot/bzImage "$tmp/vmlinuz" && cp .config "$tmp/config" &&
	cp System.map "$tmp/System.map" &&
	objcopy --strip-debug vmlinux "$tmp/vmlinux" && keep_headers ||
	die "installing the kernel into $dest failed; see $work/build.log"
rm -f "$tmp/modules/lib/modules/$release/build"
"$top/scripts/vm-boot-modules.sh" "$tmp/modules/lib/modules/$release" "$tmp/boot" || exit 1
echo "$stamp" >"$tmp/stamp"
echo "$release" >"$tmp/release" || die "no space for $dest"
rm -rf "$dest" && mv "$tmp" "$dest" || die "cannot write $dest"
echo "debug-kernel: $release is in ${dest#"$top"/}"
