#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libc6
# threads: 4
# expect: two threads read from a child each
exec glibc_popen
