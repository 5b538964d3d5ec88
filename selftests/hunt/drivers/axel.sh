#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: axel nginx
# threads: 4
# prepare: numbers 3000 >page; printf \
# prepare: 'daemon off; master_process off; pid nginx.pid; '\
# prepare: 'error_log e.log; events {} http { access_log off; '\
# prepare: 'server { listen 127.0.0.1:8313; root %s; } }' \
# prepare: $PWD >nginx.conf
# expect: a file fetched by two connections equals the original
/usr/sbin/nginx -p "$PWD" -c "$PWD/nginx.conf" -e e.log -g "user root;" &
ask 127.0.0.1 8313 -r >/dev/null
rm -f got got.st
/usr/bin/axel -q -n2 -o got http://127.0.0.1:8313/page
code=$?
kill -QUIT $!
wait $!
[ $code = 0 ] && cmp got page
