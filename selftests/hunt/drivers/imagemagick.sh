#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: imagemagick-6.q16 imagemagick
# threads: 2
# prepare: MAGICK_THREAD_LIMIT=2 /usr/bin/convert-im6.q16 -size 32x32 gradient: -blur 2 \
# prepare: gray:expected
# expect: the image is byte for byte that of the run without control
MAGICK_THREAD_LIMIT=2 /usr/bin/convert-im6.q16 -size 32x32 gradient: -blur 2 gray:output && cmp \
	output expected
