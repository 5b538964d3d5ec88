#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libc6
# threads: 2
# expect: a thread that waits for a condition is cancelled and gives the mutex back
exec glibc_cancel
