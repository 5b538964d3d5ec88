#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: fd-find
# threads: 4
# prepare: mkdir in; for i in 1 2 3; do numbers $i >in/$i; done
# expect: all files
[ "$(/usr/bin/fdfind -j2 -t f . in | wc -l)" = 3 ]
