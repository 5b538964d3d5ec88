#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: mbuffer
# threads: 3
# prepare: numbers 500 >input
# expect: what comes out is what went in
rm -f output
/usr/bin/mbuffer -q -s 1k -m 8k -i input -o output -f && cmp input output
