#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libc6
# threads: 3
# expect: bug 25847's shape: each of two waiters gets its signal
exec glibc_cond_signal
