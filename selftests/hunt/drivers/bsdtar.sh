#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libarchive-tools
# threads: 2
# prepare: numbers 20000 >input
# expect: the archive holds its input
/usr/bin/bsdtar -cf out.tar.xz --xz --options xz:threads=2,xz:compression-level=0 input &&
	/usr/bin/bsdtar -xOf out.tar.xz | cmp - input
