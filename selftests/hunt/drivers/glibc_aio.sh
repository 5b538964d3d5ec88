#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libc6
# threads: 3
# expect: an asynchronous write ends, and a list of two
exec glibc_aio
