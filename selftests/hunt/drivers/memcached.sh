#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: memcached
# threads: 2 processes, worker of 1
# options: --points sync --bound 1
# expect: the value, exit code 0 after SIGTERM
/usr/bin/memcached -u root -l 127.0.0.1 -p 8323 -U 0 -t 1 -m 8 &
printf 'set a 0 0 1\r\n1\r\nget a\r\nquit\r\n' | ask 127.0.0.1 8323 >output
kill -TERM $!
wait $! && grep -q VALUE output
