#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libc6
# threads: 3
# expect: a reader and a writer, and a timed lock
exec glibc_rwlock
