#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Lists the files of a root file system for check-packages.sh, which compares the list from
# before the packages were installed with that from after their purge. Left out is what
# changes anyway: file systems of the kernel, logs, caches, and dpkg's own lists.
#
#   check-packages-files.sh ROOT

cd "$1" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./run \
	-o -path ./tmp -o -path ./root -o -path ./var/log -o -path ./var/cache \
	-o -path ./var/lib/dpkg -o -path ./var/tmp -o -path ./lost+found \) -prune \
	-o ! -name '*-' -print | LC_ALL=C sort
