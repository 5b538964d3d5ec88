#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: pixz
# threads: 4
# prepare: numbers 20000 >input
# expect: the archive unpacks to its input
/usr/bin/pixz -p2 -0 -t -i input -o output.xz && /usr/bin/xz -dc output.xz | cmp - input
