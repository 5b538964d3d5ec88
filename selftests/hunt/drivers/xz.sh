#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: xz-utils
# threads: 3
# prepare: numbers 20000 >input; /usr/bin/xz -T2 -0 --block-size=65536 -c -k input >expected
# expect: the output is byte for byte that of the run without control
/usr/bin/xz -T2 -0 --block-size=65536 -c -k input >output && cmp output expected
