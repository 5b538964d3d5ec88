#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: redis-server
# threads: 3 processes, 4 threads
# expect: a snapshot is written in the background, exit code 0 after SHUTDOWN
rm -f dump.rdb
/usr/bin/redis-server --port 8326 --bind 127.0.0.1 --save "" --appendonly no --daemonize no \
	--logfile /dev/null --loglevel warning --dir "$PWD" &
printf 'SET a 1\r\nBGSAVE\r\nSHUTDOWN SAVE\r\n' | ask 127.0.0.1 8326 >output
wait $! && [ -s dump.rdb ]
