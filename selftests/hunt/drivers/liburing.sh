#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: liburing2
# threads: 2
# expect: two threads, a ring each, hand over through a pipe
exec liburing
