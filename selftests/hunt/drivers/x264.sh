#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: x264
# threads: 3
# prepare: head -c 32256 /dev/zero >input.yuv; /usr/bin/x264 --quiet --threads 2 \
# prepare: --lookahead-threads 1 --input-res 64x48 --fps 5 -o expected.264 input.yuv
# expect: the stream is byte for byte that of the run without control
/usr/bin/x264 --quiet --threads 2 --lookahead-threads 1 --input-res 64x48 --fps 5 -o output.264 \
	input.yuv && cmp output.264 expected.264
