#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: graphicsmagick
# threads: 2
# prepare: OMP_NUM_THREADS=2 /usr/bin/gm convert -size 32x32 gradient: -blur 2 gray:expected
# expect: the image is byte for byte that of the run without control
OMP_NUM_THREADS=2 /usr/bin/gm convert -size 32x32 gradient: -blur 2 gray:output && cmp output \
	expected
