#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# flavour.sh on Debian's cloud kernel. That has no 9p, so chess-vm cannot show it the files
# of this machine: those needed, and the libraries they need, become its initramfs. Run on
# the host by check-flavours.sh, which has fetched the kernel and built the module.
#
# BUILD  build directory (default build); KTAP on stdout; exit 0 or 1.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../vm/initramfs.sh
. selftests/vm/initramfs.sh
BUILD=$(realpath --relative-to=. "${BUILD:-build}")
kernel=build/kernel/cloud
out=$(mktemp -d /var/tmp/chess-cloud.XXXXXX) || exit 1
trap 'rm -rf "$out"' EXIT
files=("$BUILD/chessctl" "$BUILD/selftests/look/cost" "$BUILD/selftests/bpf/account"
	"$BUILD/selftests/bpf/spin.bpf.o" "$BUILD/selftests/bpf/events.bpf.o"
	"$BUILD/selftests/bpf/events_test" "$BUILD/selftests/programs/wrong/abba" "$BUILD/selftests/deadlocks/deadlocks"
	"$BUILD/selftests/attach/waits"
	selftests/look/flavour.sh selftests/ktap.sh)
tools=(bash cat grep mktemp rm dirname sed awk sleep head tail tr wc)
initramfs "$out" build/kernel/cloud-module/kmod/chess.ko selftests/look/flavour.sh \
	"${files[@]}" -- "${tools[@]}" || exit 1

# As chess-vm emulates: several threads lose patches of the kernel text.
timeout 300 qemu-system-x86_64 -machine q35 -accel tcg,thread=single \
	-cpu max,la57=off,erms=off -m 1G -smp 2 -nographic \
	-no-reboot -nodefaults -serial stdio -kernel $kernel/vmlinux -initrd "$out/initramfs" \
	-append "console=ttyS0 quiet panic=-1 oops=panic panic_on_warn=1 norandmaps" \
	</dev/null 2>"$out/err" | tr -d '\r' >"$out/serial"
if ! grep -q '^the command ended with' "$out/serial"; then
	echo "cloud: the machine died before its command ended; its last lines:" >&2
	tail -n 20 "$out/serial" "$out/err" >&2
	exit 1
fi
sed -n '/KTAP version 1/,/^# Totals/p' "$out/serial"
grep -q '^the command ended with 0$' "$out/serial"
