#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: ffmpeg
# threads: 4
# expect: exit code 0
exec /usr/bin/ffmpeg -v error -nostdin -f lavfi -i testsrc=size=64x48:rate=5:duration=1 -c:v \
	ffv1 -threads 2 -f null -
