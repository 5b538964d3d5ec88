#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: zstd
# threads: 4
# prepare: numbers 200000 >input; /usr/bin/zstd -T2 -1 -q -B512K -c input >expected
# expect: the output is byte for byte that of the run without control
/usr/bin/zstd -T2 -1 -q -B512K -c input >output && cmp output expected
