#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: liblmdb0
# threads: 2
# expect: two threads add 1 in a transaction each
exec lmdb
