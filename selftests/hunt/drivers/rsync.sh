#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: rsync
# threads: 3 processes
# prepare: mkdir from; for i in 1 2 3; do numbers 50 >from/$i; done
# expect: the copy equals the original
rm -rf to
/usr/bin/rsync -r from/ to && cmp from/1 to/1 && cmp from/3 to/3
