#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libsqlite3-0
# threads: 2
# expect: two threads with a connection each to one shared cache add 1
exec sqlite
