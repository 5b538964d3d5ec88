#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: pbzip2
# threads: 5
# prepare: numbers 40000 >input; /usr/bin/pbzip2 -p2 -b1 -c -k input >expected
# expect: the output is byte for byte that of the run without control
/usr/bin/pbzip2 -p2 -b1 -c -k input >output && cmp output expected
