#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: pigz
# threads: 3
# prepare: numbers 40000 >input; /usr/bin/pigz -p2 -n -c -b128 input >expected
# expect: the output is byte for byte that of the run without control
/usr/bin/pigz -p2 -n -c -b128 input >output && cmp output expected
