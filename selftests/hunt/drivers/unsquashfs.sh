#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: squashfs-tools
# threads: 5
# prepare: mkdir in; for i in 1 2; do numbers 50 >in/$i; done; /usr/bin/mksquashfs in image \
# prepare: -processors 1 -quiet -no-progress -noappend
# expect: the files come out as they went in
rm -rf out
/usr/bin/unsquashfs -q -n -p 2 -d out image >/dev/null && cmp in/1 out/1 && cmp in/2 out/2
