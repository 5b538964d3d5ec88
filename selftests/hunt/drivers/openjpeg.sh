#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libopenjp2-tools
# threads: 3
# prepare: { printf 'P6\n32 32\n255\n'; numbers 600 | head -c 3072; } >in.ppm
# prepare: /usr/bin/opj_compress -threads 2 -i in.ppm -o expected.j2k -n 2
# expect: the image is byte for byte that of the run without control
/usr/bin/opj_compress -threads 2 -i in.ppm -o output.j2k -n 2 >/dev/null && cmp output.j2k \
	expected.j2k
