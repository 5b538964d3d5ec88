#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: memcached
# threads: 2 processes, worker of 1
# options: --points sync --bound 1
# expect: ends after "shutdown graceful"
/usr/bin/memcached -A -u root -l 127.0.0.1 -p 8324 -U 0 -t 1 -m 8 -o \
	no_lru_maintainer,no_lru_crawler,no_slab_reassign,no_hashexpand &
printf 'set a 0 0 1\r\n1\r\nshutdown graceful\r\n' | ask 127.0.0.1 8324 >output
wait $!
