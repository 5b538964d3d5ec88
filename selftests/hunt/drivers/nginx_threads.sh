#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: nginx-light nginx
# threads: 2 processes, thread pool of 2
# prepare: echo hello >page; printf \
# prepare: 'daemon off; master_process off; thread_pool default threads=2; pid nginx.pid; '\
# prepare: 'error_log e.log; events {} http { access_log off; aio threads; '\
# prepare: 'server { listen 127.0.0.1:8322; root %s; } }' \
# prepare: $PWD >nginx.conf
# expect: the page, exit code 0 after SIGQUIT
/usr/sbin/nginx -p "$PWD" -c "$PWD/nginx.conf" -e e.log -g "user root;" &
printf 'GET /page HTTP/1.0\r\n\r\n' | ask 127.0.0.1 8322 >output
kill -QUIT $!
wait $! && grep -q hello output
