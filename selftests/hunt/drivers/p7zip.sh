#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: p7zip-full 7zip
# threads: 3
# prepare: numbers 4000 >input
# expect: exit code 0, and the archive holds its input
rm -f output.7z
/usr/lib/p7zip/7z a -bd -bso0 -mmt=2 -mx=1 output.7z input && /usr/lib/p7zip/7z x -bd -so \
	output.7z | cmp - input
