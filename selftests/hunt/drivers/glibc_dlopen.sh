#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libc6
# threads: 2
# expect: two threads load and unload one library
exec glibc_dlopen
