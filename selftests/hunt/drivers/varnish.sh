#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: varnish gcc
# threads: 3 processes, 12 threads
# prepare: printf \
# prepare: 'vcl 4.1; backend default none; sub vcl_recv { return (synth(200, "hello")); }' >v.vcl
# expect: the page, an end after SIGTERM
rm -rf work
/usr/sbin/varnishd -F -n "$PWD/work" -a 127.0.0.1:8335 -f "$PWD/v.vcl" -j none -s default,1m -p \
	thread_pools=1 -p thread_pool_min=5 -p thread_pool_max=10 >/dev/null 2>&1 &
printf 'GET / HTTP/1.0\r\n\r\n' | ask 127.0.0.1 8335 >output
kill -TERM $!
wait $!
grep -q hello output
