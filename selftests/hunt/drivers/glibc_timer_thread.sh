#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libc6
# threads: 3
# expect: a timer that starts a thread is deleted while it goes off
exec glibc_timer_thread
