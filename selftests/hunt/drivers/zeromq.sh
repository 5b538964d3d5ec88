#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libzmq5
# threads: 4
# expect: a message between two threads, and the end of the context
exec zeromq
