#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: plzip
# threads: 4
# prepare: numbers 20000 >input; /usr/bin/plzip -n2 -0 -B65536 -c -k input >expected
# expect: the output is byte for byte that of the run without control
/usr/bin/plzip -n2 -0 -B65536 -c -k input >output && cmp output expected
