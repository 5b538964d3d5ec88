#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Install the Debian 12 packages that the project needs.  Called by "make
# demo" and "make check"; makes no apt call when nothing is missing.  Needs
# neither a terminal nor stdin.
#
#   install-deps.sh [--check] [style|debug|bench|apps|evex|harness|projects|browser|export|hunt|
#                    packages|secure-boot|slurm]...
#
# The base set is always included; --check only says what is missing (exit 1).

set -u
export LC_ALL=C DEBIAN_FRONTEND=noninteractive

# build: compiler, libraries, kernel module with BTF
packages="gcc make libc6-dev pkg-config libnl-genl-3-dev libelf-dev libbpf-dev libdw-dev
	libzydis-dev libjson-c-dev libedit-dev libncurses-dev libiberty-dev libsqlite3-dev
	zlib1g-dev clang binutils pahole libssl3 kmod"
# the embedded VM and fetching its kernel
packages="$packages qemu-system-x86 zstd xz-utils"
# tests
packages="$packages clang libclang-rt-dev valgrind g++ systemtap-sdt-dev gdb"
packages="$packages iproute2 python3-minimal python3-pyte python3-jsonschema"
why="building, testing and the embedded VM"

check=
for arg in "$@"; do
	case $arg in
	--check) check=yes ;;
	style)	 packages="$packages sparse codespell shellcheck clang-format" ;;
	debug)	 packages="$packages bc flex bison rsync libssl-dev cpio" ;;
	bench)	 packages="$packages strace" ;;
	# Where systemd runs, the three servers' packages start services of their own.
	apps)	 packages="$packages pigz pbzip2 lbzip2 plzip libglib2.0-tests python3 perl ruby
			memcached libcache-memcached-perl redis-server redis-tools nginx curl tcc
			nodejs apache2-utils postgresql postgresql-contrib" ;;
	evex)	 packages="$packages bochs bochs-term bochsbios vgabios isolinux syslinux-common
			xorriso cpio" ;;
	harness) packages="$packages libgtest-dev libcmocka-dev check libxml2-utils
			linux-source-6.12 libcap-dev libpopt-dev python3" ;;
	# Test programs of other projects, and their libraries; the fresh Debian of CI recipes.
	projects) packages="$packages libgtest-dev libgmock-dev libbenchmark-dev libcmocka-dev check
			libyang2-dev libffi-dev libexpat1-dev cmake meson ninja-build dpkg-dev
			debootstrap python3-yaml libxml2-utils python3" ;;
	browser) packages="$packages chromium chromium-driver python3" ;;
	export)	 packages="$packages graphviz"
		 # Builds of Node.js from elsewhere bring npm with them, and exclude Debian's.
		 command -v npm >/dev/null || packages="$packages nodejs npm" ;;
	hunt)	 packages="$packages apache2-bin aria2 axel busybox-static curl dbus-bin
			dbus-daemon dnsmasq-base dovecot-imapd erlang-base fd-find ffmpeg fio git
			graphicsmagick guile-3.0 haproxy imagemagick iperf3 ksh93u+m lbzip2
			libarchive-tools libaprutil1-dev libboost-thread-dev libck-dev
			libcurl4-openssl-dev libev-dev libevent-dev libfftw3-dev libgc-dev
			libgoogle-perftools-dev libglib2.0-tests libjemalloc-dev libleveldb-dev
			liblmdb-dev libmicrohttpd-dev libmimalloc-dev libnanomsg-dev libnng-dev
			libopenjp2-tools librocksdb-dev libtbb-dev liburcu-dev liburing-dev
			libuv1-dev libwebsockets-dev libzmq3-dev lighttpd mbuffer memcached mksh
			mosquitto nghttp2-client nghttp2-server nginx-light ninja-build nodejs
			ocaml-nox openssl p7zip-full par2 parallel pbzip2 perl php-cli pigz pixz
			plzip python3 redis-server ripgrep rsync rsyslog ruby sbcl sox sqlite3
			squashfs-tools squid stress-ng swi-prolog-nox sysbench tcl tcl-thread tor
			transmission-cli unbound varnish webp x264 zsh" ;;
	packages) packages="$packages dpkg-dev debhelper dh-dkms llvm lintian debootstrap rpm zsh
			e2fsprogs" ;;
	# Where systemd runs, the first three start services of their own, without a configuration.
	slurm)	 packages="$packages munge slurmctld slurmd slurm-client parallel openssh-client" ;;
	secure-boot) packages="$packages ovmf efitools openssl busybox-static cpio" ;;
	*)	 echo "install-deps: asked for '$arg'; see the head of $0" >&2
		 exit 2 ;;
	esac
done

command -v dpkg-query >/dev/null || {
	echo "install-deps: this is not a Debian system; install by hand: ${packages//[$'\n\t']/ }" >&2
	exit 1
}

# shellcheck disable=SC2086 # a list of words, here and below
present=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $packages 2>/dev/null |
	  sed -n 's/^installed //p')
missing=
for p in $packages; do
	grep -qxF "$p" <<<"$present" || missing="$missing $p"
done
[ -z "$missing" ] && exit 0

if [ -n "$check" ]; then
	echo "install-deps: missing:$missing; run scripts/install-deps.sh" >&2
	exit 1
fi

echo "install-deps: installing$missing (for $why)"
as_root=
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null || {
		echo "install-deps: installing needs root; run as root: apt-get install$missing" >&2
		exit 1
	}
	as_root="sudo -n"
	[ -t 0 ] && as_root=sudo
fi

log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
run() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" </dev/null >"$log" 2>&1; }
install() { run install -y --no-install-recommends -o Dpkg::Use-Pty=0 $missing; }

# Lists may be absent or too old for the mirror, so a failure is tried again
# with fresh ones.
install || { run -o APT::Update::Error-Mode=any update && install; } || {
	echo "install-deps: apt-get could not install$missing:" \
	     "$(grep -aE '^(E:|sudo:)' "$log" | head -n 1)" >&2
	exit 1
}
