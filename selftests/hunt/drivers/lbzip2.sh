#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: lbzip2
# threads: 4
# prepare: numbers 40000 >input; /usr/bin/lbzip2 -n2 -1 -c -k input >expected
# expect: the output is byte for byte that of the run without control
/usr/bin/lbzip2 -n2 -1 -c -k input >output && cmp output expected
