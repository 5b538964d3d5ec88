#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: sysbench
# threads: 3
# expect: exit code 0
exec /usr/bin/sysbench mutex --threads=2 --mutex-num=2 --mutex-locks=2 --mutex-loops=1 run \
	>/dev/null
