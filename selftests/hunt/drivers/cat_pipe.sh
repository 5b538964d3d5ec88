#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: coreutils
# threads: 3
# prepare: numbers 2000 >input; /usr/bin/tee copy <input | /usr/bin/tac >expected
# expect: the output is byte for byte that of the run without control
/usr/bin/tee copy <input | /usr/bin/tac >output && cmp output expected
