#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# operand_test and access_test on a processor with AVX-512, which QEMU's emulator has not:
# Bochs's. The VM's kernel and an initramfs of what they need boot from an image of a CD;
# what they say comes out of its serial line. Run on the host; installs nothing, see
# install-deps.sh evex.
#
# BUILD  build directory (default build)
# MODULE the module (default kmod/chess.ko)
# KEEP   a directory for the machine's files, else they are removed
# LIMIT  seconds the machine may take (default 1500)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../ktap.sh
. selftests/ktap.sh
# shellcheck source=../vm/initramfs.sh
. selftests/vm/initramfs.sh
BUILD=$(realpath --relative-to=. "${BUILD:-build}")
missing=$(scripts/install-deps.sh --check evex 2>&1) || skip_all "$missing evex"
out=${KEEP:-}
[ -n "$out" ] || out=$(mktemp -d /var/tmp/chess-evex.XXXXXX) || exit 1
out=$(realpath "$out")
# shellcheck disable=SC2046 # no process or one
trap 'kill $(jobs -p) 2>/dev/null; [ -n "${KEEP:-}" ] || rm -rf "$out"' EXIT
trap 'exit 130' INT TERM HUP

# Its time is counted in instructions, and so are the limits of the programs: ips is less
# than it does in a second of ours.
machine()
{
	cat <<-END
	config_interface: textconfig
	display_library: term
	megs: 1024
	romimage: file=/usr/share/bochs/BIOS-bochs-latest
	vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
	cpu: model=tigerlake, count=1, ips=50000000, reset_on_triple_fault=0, ignore_bad_msrs=1
	clock: sync=none
	ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
	ata0-master: type=cdrom, path=$out/cd.iso, status=inserted
	boot: cdrom
	com1: enabled=1, mode=file, dev=$out/serial
	sound: waveoutdrv=dummy
	speaker: enabled=0
	log: $out/log
	panic: action=fatal
	error: action=report
	info: action=ignore
	debug: action=ignore
	END
}

# Bochs 2.7 says sizes and offsets of XSAVE's areas wrong that the kernel holds against its
# own, of the compacted format and of protection keys, and the kernel would do without AVX.
kernel_words()
{
	echo "console=ttyS0 quiet panic=-1 panic_on_warn=1 oops=panic hung_task_panic=1" \
	     "softlockup_panic=1 mitigations=off random.trust_cpu=on nokaslr norandmaps" \
	     "tsc=reliable clearcpuid=xsaves,xsavec nopku rdinit=/init"
}

boot()
{
	mkdir -p "$out/cd" &&
	cp -L build/kernel/generic/vmlinuz /usr/lib/ISOLINUX/isolinux.bin \
		/usr/lib/syslinux/modules/bios/ldlinux.c32 "$out/cd" &&
	gzip -1 <"$out/initramfs" >"$out/cd/initrd" || return 1
	printf '%s\n' "default chess" "prompt 0" "label chess" "kernel /vmlinuz" "initrd /initrd" \
		"append $(kernel_words)" >"$out/cd/isolinux.cfg"
	xorriso -as mkisofs -quiet -o "$out/cd.iso" -b isolinux.bin -c boot.cat -no-emul-boot \
		-boot-load-size 4 -boot-info-table "$out/cd" 2>"$out/err" || return 1
	machine >"$out/machine"
	# Debian's has the debugger built in, which waits to be told.
	echo c >"$out/commands"
	TERM=vt100 timeout "${LIMIT:-1500}" bochs -q -f "$out/machine" -rc "$out/commands" \
		</dev/null >"$out/screen" 2>>"$out/err" &
	wait
	tr -d '\r' <"$out/serial" >"$out/said"
}

# rows_of_avx512 [PATTERN]: that can be run at the edge of memory
rows_of_avx512()
{
	sed -n '/FEATURE, 3/,/FEATURE, 4/p' selftests/unit/operand_insns.S | grep -P '^\tI ' |
		grep -vP '^\tI \S+ (NORUN|WHOLE),' | grep -cP "${1:-.}"
}

files=("$BUILD"/selftests/{unit/operand_test,access/operand_test,access/access_test,access/throws}
	"$BUILD/selftests/access/again.so" selftests/unit/run.sh)
initramfs "$out" "${MODULE:-kmod/chess.ko}" "selftests/unit/run.sh ${files[1]} ${files[2]}" \
	"${files[@]}" -- bash basename cat mktemp rm sed || exit 1
boot || exit 1
if ! grep -q '^the command ended with' "$out/said"; then
	echo "evex: the machine died before its command ended; its last lines:" >&2
	tail -n 30 "$out/said" "$out/err" >&2
	exit 1
fi

echo "KTAP version 1"
echo "1..2"
sed -n '/^KTAP version 1/,/^# Totals/s/^/  /p' "$out/said"
grep -q '^the command ended with 0$' "$out/said"
result $? classes_keep_their_meaning
# To Bochs 2.7 an index in the upper half of the registers is an illegal instruction. What
# its trap makes of the registers is compared all the same.
illegal=$(rows_of_avx512 ',%?[xyz]mm(1[6-9]|2\d|3[01]),\d\)')
all=$(rows_of_avx512)
run=$(sed -n 's/.*instructions were run, \([0-9]*\) of AVX-512.*/\1/p' "$out/said" | sort -u)
[ "$run" = $((all - illegal)) ]
result $? instructions_of_avx512_were_run
echo "# of AVX-512: $run of $all run, expected are all but $illegal"
totals
