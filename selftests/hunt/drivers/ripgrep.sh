#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: ripgrep
# threads: 3
# prepare: mkdir in; for i in 1 2 3; do numbers $i >in/$i; done
# expect: all matches
[ "$(/usr/bin/rg --no-config -j2 -c 16807 in | wc -l)" = 3 ]
