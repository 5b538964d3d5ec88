#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libc6
# threads: 2
# expect: a message starts the notified thread
exec glibc_mq_notify
