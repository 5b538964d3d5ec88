#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: webp
# threads: 2
# prepare: { printf 'P6\n64 64\n255\n'; numbers 2500 | head -c 12288; } >in.ppm; /usr/bin/cwebp \
# prepare: -quiet -mt -m 0 in.ppm -o expected.webp
# expect: the image is byte for byte that of the run without control
/usr/bin/cwebp -quiet -mt -m 0 in.ppm -o output.webp && cmp output.webp expected.webp
