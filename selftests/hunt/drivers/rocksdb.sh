#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: librocksdb
# threads: 3
# expect: two threads write to one database, and it is closed
exec rocksdb
