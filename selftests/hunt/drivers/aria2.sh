#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: aria2 nginx
# threads: 3 processes
# prepare: numbers 3000 >page; printf \
# prepare: 'daemon off; master_process off; pid nginx.pid; '\
# prepare: 'error_log e.log; events {} http { access_log off; '\
# prepare: 'server { listen 127.0.0.1:8312; root %s; } }' \
# prepare: $PWD >nginx.conf
# expect: a file fetched by two connections equals the original
/usr/sbin/nginx -p "$PWD" -c "$PWD/nginx.conf" -e e.log -g "user root;" &
rm -f got got.aria2
/usr/bin/aria2c --no-conf -q -x2 -s2 -k1M --retry-wait=1 -m5 -o got http://127.0.0.1:8312/page
code=$?
kill -QUIT $!
wait $!
[ $code = 0 ] && cmp got page
