#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: squashfs-tools
# threads: 7
# prepare: mkdir in; for i in 1 2 3; do numbers 50 >in/$i; done; /usr/bin/mksquashfs in \
# prepare: expected -processors 2 -quiet -no-progress -all-time 0 -mkfs-time 0 -noappend
# expect: the image is byte for byte that of the run without control
rm -f output
/usr/bin/mksquashfs in output -processors 2 -quiet -no-progress -all-time 0 -mkfs-time 0 \
	-noappend >/dev/null && cmp output expected
