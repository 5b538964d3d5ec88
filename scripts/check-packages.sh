#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests the Debian packages as a stranger gets them; "make check-packages". Builds them twice,
# in different directories, runs lintian, installs them in a fresh Debian 12 with its stock
# kernel, where DKMS builds the module, searches a program in the VM that chessctl starts
# there, and boots that Debian in QEMU, where check-packages-guest.sh tests and purges them.
# It also builds the RPM packages. Needs root, 8 GB of disk and Debian's packages (apt), and
# takes ten to twenty minutes. The last line is "N passed, N failed".
#
#   check-packages.sh [--keep]	--keep: leave build/packages/check as it is, with the image

set -u
umask 022
export LC_ALL=C DEBIAN_FRONTEND=noninteractive
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1
. selftests/ktap.sh
keep=
[ "${1:-}" = --keep ] && keep=yes

die()
{
	echo "check-packages: $*" >&2
	exit 1
}

[ "$(id -u)" = 0 ] || die "needs root, to make a root file system; use sudo"
scripts/install-deps.sh packages || exit 1
[ -x build/chessctl ] || die "needs build/chessctl; run 'make'"
packages=$top/build/packages
dir=$packages/check
root=$dir/root
rm -rf "$dir"
mkdir -p "$root" || die "cannot create $root"
# Mount points are removed only when nothing is mounted there.
clean()
{
	umount "$root/proc" "$root/dev" 2>/dev/null
	mountpoint -q "$root/proc" || mountpoint -q "$root/dev" || [ -n "$keep" ] || rm -rf "$dir"
}
trap clean EXIT
trap 'exit 130' INT TERM HUP
ktap_output=$dir/log

# try NAME COMMAND...: a test; its output is shown if it fails
try()
{
	local name=$1

	shift
	"$@" >"$dir/log" 2>&1 </dev/null
	result $? "$name"
}

# must COMMAND...: without it there is nothing to test
must()
{
	"$@" >"$dir/log" 2>&1 </dev/null && return
	tail -n 20 "$dir/log" >&2
	die "'$*' failed"
}

inside()
{
	chroot "$root" /usr/bin/env -i HOME=/root PATH="$PATH" DEBIAN_FRONTEND=noninteractive "$@"
}

# ---- the packages ----

# Two builds of the same tree, where the paths differ in length.
same_bytes()
{
	local f n=0

	scripts/packages.sh deb "$dir/a/second/build" || return
	for f in "$packages"/*.deb "$packages"/*.dsc "$packages"/*.tar.xz; do
		cmp "$f" "$dir/a/second/build/$(basename "$f")" || return
		n=$((n + 1))
	done
	echo "$n files"
	[ $n -ge 5 ]
}

lintian_is_silent()
{
	lintian --pedantic --allow-root --tag-display-limit 0 "$packages"/*.changes >"$dir/lintian" 2>&1
	cat "$dir/lintian"
	[ ! -s "$dir/lintian" ]
}

# Each symbol of the map, and no other.
symbols_are_listed()
{
	diff <(sed -n 's/^\t\([a-z0-9_]*\);$/\1/p' libchessctl/libchessctl.map | sort) \
		<(sed -n 's/^ \([a-z0-9_]*\)@.*/\1/p' packaging/debian/libchessctl0.symbols | sort)
}

rpm_files()
{
	rpm -qlp "$packages"/chessctl-[0-9]*.x86_64.rpm | grep -qx /usr/bin/chessctl &&
		rpm -qlp "$packages"/chess-dkms-*.rpm | grep -q '^/usr/src/chess-.*/dkms.conf$' &&
		rpm -qlp "$packages"/libchessctl-devel-*.rpm | grep -qx /usr/include/chessctl/test.h
}

# ---- a fresh Debian ----

# What the packages and their tests use, so that later only the packages themselves come.
debs="linux-image-amd64 linux-headers-amd64 initramfs-tools dkms adduser kmod udev iproute2
	qemu-system-x86 gcc libc6-dev pkg-config memcached redis-server redis-tools libbpf-dev
	libdw-dev libelf-dev libjson-c5 libnl-genl-3-dev libzydis-dev zlib1g-dev"

make_root()
{
	local mirror

	mirror=$(apt-get indextargets --format '$(SITE) $(CODENAME)' 'Created-By: Packages' |
		 awk '$2 == "bookworm" { print $1; exit }')
	[ -n "$mirror" ] || die "apt knows no mirror of Debian 12 here"
	must debootstrap --variant=minbase bookworm "$root" "$mirror"
	cp /etc/resolv.conf /etc/hosts "$root/etc/"
	printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
	chmod +x "$root/usr/sbin/policy-rc.d"
	mount -t proc proc "$root/proc" && mount --bind /dev "$root/dev" || die "cannot mount in $root"
	must inside apt-get update
	# shellcheck disable=SC2086 # a list of words
	must inside apt-get install -y --no-install-recommends $debs
	mkdir -p "$root/root/chess-check/debs"
	cp -r packaging/debian/tests "$root/root/chess-check/"
	cp scripts/check-packages-guest.sh "$root/root/chess-check/init"
	cp scripts/check-packages-files.sh "$root/root/chess-check/files.sh"
	cp "$packages"/*.deb "$root/root/chess-check/debs/"
	rm -f "$root"/root/chess-check/debs/*-dbgsym_*
	scripts/check-packages-files.sh "$root" >"$root/root/chess-check/before"
}

# dpkg is content only if DKMS could build the module.
install_packages() { inside sh -c 'dpkg -i /root/chess-check/debs/*.deb'; }

module_is_built()
{
	ls -l "$root"/lib/modules/*/updates/dkms/chess.ko* &&
		grep -q "^options chess gid=[0-9]*$" "$root/etc/modprobe.d/chess-group.conf"
}

# The VM of packages: the installed kernel, with the module that DKMS built.
explore_in_vm()
{
	inside sh -ec 'cd /root
		gcc -g -pthread /usr/share/doc/libchessctl-dev/examples/abba.c -o abba
		chessctl explore --out traces -- ./abba || [ $? = 1 ]
		chessctl replay traces/abba-deadlock-1.trace && exit 9 || [ $? = 1 ]' >"$dir/log" 2>&1
	cat "$dir/log"
	grep -q "kernel $(basename "$root"/lib/modules/*)" "$dir/log" && grep -q '^deadlock' "$dir/log"
}

boot()
{
	local kvm=(-accel "tcg,thread=single" -cpu "max,la57=off,erms=off,cx16=off") image=$dir/image

	umount "$root/proc" "$root/dev" || return
	mke2fs -q -t ext4 -d "$root" "$image" 4G || return
	build/chessctl doctor | grep -q '^ok *KVM' && kvm=(-accel kvm -cpu host)
	timeout 3000 qemu-system-x86_64 -nodefaults -no-user-config -display none -monitor none \
		-no-reboot -m 2048 -smp 2 "${kvm[@]}" -kernel "$root"/boot/vmlinuz-* \
		-initrd "$root"/boot/initrd.img-* -append "console=ttyS0 quiet panic=-1 oops=panic \
root=/dev/vda rw init=/root/chess-check/init tsc=reliable no_timer_check" \
		-drive "file=$image,if=virtio,format=raw,cache=unsafe" -serial stdio
}

# Lines of the guest become tests here; a name begins a line there.
report_guest()
{
	local line

	while IFS= read -r line; do
		line=${line%$'\r'}
		case $line in
		"ok "*) result 0 "guest_${line#ok }" ;;
		"not ok "*) ktap_output='' result 1 "guest_${line#not ok }" ;;
		"# "*) echo "$line" ;;	# why, or figures
		esac
	done <"$dir/console"
}

echo "KTAP version 1"
try packages_are_built scripts/packages.sh deb
[ $failed = 0 ] || { echo "$passed passed, $failed failed"; exit 1; }
try two_builds_are_the_same same_bytes
try lintian_has_nothing_to_say lintian_is_silent
try symbols_file_has_each_symbol symbols_are_listed
try rpms_are_built scripts/packages.sh rpm
try rpms_have_their_files rpm_files
make_root
try packages_are_installed install_packages
try dkms_builds_the_module module_is_built
try explore_and_replay_in_the_vm_of_packages explore_in_vm
boot >"$dir/console" 2>&1 </dev/null
grep '^guest: [0-9]' "$dir/console" | sed 's/^/# /'
report_guest
ktap_output=$dir/console
grep -q '^guest: done' "$dir/console"
result $? guest_came_to_its_end
echo "1..$n"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
