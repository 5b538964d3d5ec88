#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libnanomsg5
# threads: 3
# finding: use after free, see below
# expect: a message between two threads, then both sockets are closed
exec nanomsg
