#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: ninja-build
# threads: 4 processes
# prepare: printf 'rule r\n command = echo x >$out\nbuild a: r\nbuild b: r\n'\
# prepare: 'build all: phony a b\ndefault all\n' >build.ninja
# expect: both files are made
rm -f a b .ninja_log .ninja_deps
/usr/bin/ninja -j2 >/dev/null && [ -s a ] && [ -s b ]
