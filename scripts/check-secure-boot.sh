#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Which modules a kernel with signatures enforced takes; "make check-secure-boot". Boots the
# VM's kernel under a UEFI firmware in QEMU, twice, with three copies of chess.ko: without a
# signature, signed with a key that nobody enrolled, and signed with a key whose certificate
# the first boot writes to the firmware's list "db". Needs no root; a minute or two under
# emulation. Output is KTAP.
#
#   check-secure-boot.sh [KERNEL_DIR [MODULE]]	a directory made by vm-kernel.sh

set -u
export LC_ALL=C
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1
. selftests/ktap.sh
kernel=${1:-build/kernel/generic}
module=${2:-kmod/chess.ko}
for file in "$kernel/vmlinuz" "$module"; do
	[ -f "$file" ] || skip_all "no $file; run make"
done
scripts/install-deps.sh secure-boot >&2 || exit 1
own_folder secure-boot
firmware=/usr/share/OVMF
sign=$(realpath "$(find "$kernel"/usr/lib -name sign-file | head -n 1)")
release=$(cat "$kernel/release")

die()
{
	echo "check-secure-boot: $*" >&2
	exit 1
}

# key NAME: a key and its certificate
key()
{
	openssl req -new -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=chess $1/" \
		-keyout "$out/$1.key" -out "$out/$1.pem" 2>"$out/said" &&
		openssl x509 -in "$out/$1.pem" -outform DER -out "$out/$1.der"
}

# signed NAME KEY
signed()
{
	cp "$module" "$root/modules/$1.ko" &&
		"$sign" sha256 "$out/$2.key" "$out/$2.der" "$root/modules/$1.ko"
}

# The list of keys as an update of the variable, after its attributes: non-volatile, for boot
# and run time, and with a time. Nobody owns the firmware yet, so any signature will do.
variable()
{
	cert-to-efi-sig-list "$out/enrolled.pem" "$out/list" &&
		sign-efi-sig-list -k "$out/enrolled.key" -c "$out/enrolled.pem" db "$out/list" \
			"$out/update" >"$out/said" &&
		{ printf '\x27\0\0\0'; cat "$out/update"; } >"$root/modules/db"
}

root=$out/root
mkdir -p "$root/bin" "$root/modules"
cp /bin/busybox "$root/bin/" && cp "$module" "$root/modules/none.ko" || die "no space in $out"
for place in "$kernel/modules/lib/modules/$release"/kernel/fs/efivarfs/efivarfs.ko*; do
	case $place in
	*.xz) xz -dc "$place" >"$root/modules/efivarfs" ;;
	*.ko) cp "$place" "$root/modules/efivarfs" ;;
	esac
done
key enrolled && key other && signed enrolled enrolled && signed other other && variable ||
	die "cannot sign $module: $(tail -n 1 "$out/said")"
cat >"$root/init" <<'END'
#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
insmod /modules/efivarfs
mount -t efivarfs efivarfs /sys/firmware/efi/efivars
echo "enforced: $(cat /sys/module/module/parameters/sig_enforce)"
for name in none other enrolled; do
	if insmod /modules/$name.ko 2>/said; then
		echo "$name: loaded"
		rmmod chess
	else
		echo "$name: $(cat /said)"
	fi
done
db=/sys/firmware/efi/efivars/db-d719b2cb-3d3a-4596-a3bc-dad00e67656f
[ -e $db ] || cat /modules/db >$db && echo "db: written"
poweroff -f
END
chmod +x "$root/init"
(cd "$root" && find . | cpio -o -H newc 2>/dev/null) >"$out/initramfs" || die "no space in $out"
cp "$firmware/OVMF_VARS_4M.fd" "$out/vars" || die "$firmware has no OVMF_VARS_4M.fd"

# boot NUMBER: its console in $out/NUMBER
boot()
{
	timeout 600 qemu-system-x86_64 -machine q35 -nodefaults -no-user-config -display none \
		-monitor none -no-reboot -m 1024 -cpu max,la57=off,cx16=off \
		-drive "if=pflash,format=raw,readonly=on,file=$firmware/OVMF_CODE_4M.fd" \
		-drive "if=pflash,format=raw,file=$out/vars" -kernel "$kernel/vmlinuz" \
		-initrd "$out/initramfs" -append "console=ttyS0 quiet panic=-1 module.sig_enforce=1" \
		-serial stdio </dev/null >"$out/$1" 2>&1
}

# said BOOT LINE NAME
said()
{
	ktap_output=$out/$1
	grep -aqE "$2"$'\r?$' "$out/$1"
	result $? "$3"
}

refused='.*Key was rejected by service'
echo "KTAP version 1"
echo "1..8"
boot 1
said 1 'enforced: Y' "signatures are enforced"
said 1 "none: $refused" "a module without a signature is refused"
said 1 "other: $refused" "a key that is not enrolled is refused"
said 1 "enrolled: $refused" "so is the key before it is enrolled"
said 1 'db: written' "the certificate is enrolled"
boot 2
said 2 'enrolled: loaded' "the key is accepted once it is enrolled"
said 2 "none: $refused" "a module without a signature is still refused"
said 2 "other: $refused" "so is the key that is not enrolled"
totals
