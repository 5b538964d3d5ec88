#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: coreutils
# threads: 2
# prepare: numbers 140000 >input; /usr/bin/sort --parallel=2 -S64M input >expected
# expect: the output is byte for byte that of the run without control
/usr/bin/sort --parallel=2 -S64M input >output && cmp output expected
