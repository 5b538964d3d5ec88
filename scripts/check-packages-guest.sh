#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# PID 1 of the machine that check-packages.sh boots: runs the tests of the packages, purges the
# packages and compares the files with those from before. What it prints goes to the serial
# console, where check-packages.sh reads lines "ok NAME" and "not ok NAME"; the last one is
# "guest: done".

export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C HOME=/root DEBIAN_FRONTEND=noninteractive
here=$(cd "$(dirname "$0")" && pwd)
cd / || exit 1
exec </dev/null
mountpoint -q /proc || mount -t proc proc /proc
mountpoint -q /sys || mount -t sysfs sysfs /sys
mount -t tmpfs tmpfs /tmp
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /dev/shm 2>/dev/null || { mkdir -p /dev/shm && mount -t tmpfs tmpfs /dev/shm; }
mount -t debugfs debugfs /sys/kernel/debug
mount -t tracefs tracefs /sys/kernel/tracing
ip link set lo up
# Messages of the kernel would stand in the middle of a line.
echo 1 >/proc/sys/kernel/printk
for f in fd:fd stdin:fd/0 stdout:fd/1 stderr:fd/2; do
	[ -e "/dev/${f%%:*}" ] || ln -s "/proc/self/${f#*:}" "/dev/${f%%:*}"
done
echo "guest: $(uname -r)"

TMPDIR=/tmp "$here/tests/smoke"
TMPDIR=/tmp "$here/tests/services"

# As a user sees it who purges the packages while the module is loaded.
purge()
{
	modprobe chess && dpkg --purge chess-doc libchessctl-dev libchessctl0 chessctl chess-dkms
}

# verdict NAME COMMAND...
verdict()
{
	local name=$1

	shift
	if "$@" >/tmp/log 2>&1; then
		echo "ok $name"
	else
		tail -n 20 /tmp/log | sed 's/^/# /'
		echo "not ok $name"
	fi
}

files_are_as_before()
{
	"$here/files.sh" / >/tmp/after && diff "$here/before" /tmp/after
}

kernel_has_no_complaint()
{
	! dmesg | grep -E 'BUG:|WARNING:|Oops|INFO: possible|suspicious RCU|UBSAN'
}

verdict packages_are_purged purge
verdict purge_unloads_the_module test ! -e /sys/module/chess
verdict purge_leaves_no_file files_are_as_before
verdict purge_leaves_the_group getent group chess
verdict modprobe_finds_no_module sh -c '! modprobe chess'
verdict kernel_has_no_complaint kernel_has_no_complaint
echo "guest: done"
sync
echo o >/proc/sysrq-trigger
sleep 60
