#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: dnsmasq-base
# threads: 2 processes
# prepare: printf '\0\030\1\2\1\0\0\1\0\0\0\0\0\0\1a\4test\0\0\1\0\1' >query
# expect: an answer over TCP, exit code 0 after SIGTERM
/usr/sbin/dnsmasq -k -C /dev/null -u root -x "$PWD/pid" -p 8328 -a 127.0.0.1 -R -h -A \
	/a.test/127.0.0.2 &
ask 127.0.0.1 8328 -n 30 <query >output
kill -TERM $!
wait $! && [ -s output ]
