#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: haproxy
# threads: 2 processes, 2 threads
# prepare: printf 'global\n nbthread 2\ndefaults\n mode http\n timeout client 5s\n'\
# prepare: ' timeout server 5s\n timeout connect 5s\nfrontend f\n bind 127.0.0.1:8327\n'\
# prepare: ' http-request return status 200 content-type text/plain string hello\n' >h.cfg
# expect: the page, an end after SIGTERM
/usr/sbin/haproxy -db -f h.cfg &
printf 'GET / HTTP/1.0\r\n\r\n' | ask 127.0.0.1 8327 >output
kill -TERM $!
wait $!
code=$?
[ $code = 0 ] || [ $code = 143 ] && grep -q hello output
