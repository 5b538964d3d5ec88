#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: redis-server
# threads: 2 processes, 4 threads
# expect: the answer, exit code 0 after SHUTDOWN
/usr/bin/redis-server --port 8325 --bind 127.0.0.1 --save "" --appendonly no --daemonize no \
	--logfile /dev/null --loglevel warning &
printf 'SET a 1\r\nUNLINK a\r\nSHUTDOWN NOSAVE\r\n' | ask 127.0.0.1 8325 >output
wait $!
