#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: curl
# threads: 1
# prepare: echo one >a; echo two >b
# expect: both files are fetched
rm -rf got; mkdir got
/usr/bin/curl -s -Z "file://$PWD/a" "file://$PWD/b" -o got/a -o got/b && cmp a got/a && cmp b got/b
