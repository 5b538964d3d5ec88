#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: make
# threads: 4 processes
# prepare: printf 'all: c\nc: a b\n\tcat a b >c\na b:\n\techo $@ >$@\n' >Makefile
# expect: both parts are in the result
rm -f a b c
/usr/bin/make -s -j2 && [ "$(cat c)" = "a
b" ]
