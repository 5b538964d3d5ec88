#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libc6
# threads: 3
# expect: a child of a thread can print and allocate while the other thread prints
exec glibc_fork_stdio
