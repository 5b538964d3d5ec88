#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: findutils
# threads: 4 processes
# prepare: numbers 20 >input
# expect: all words, of two processes at a time
/usr/bin/xargs -P2 -n10 /bin/echo <input >output && [ "$(wc -w <output)" = 19 ]
