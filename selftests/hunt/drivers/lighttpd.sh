#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: lighttpd
# threads: 2 processes
# prepare: echo hello >page; printf 'server.document-root = "%s"\nserver.port = 8332\n'\
# prepare: 'server.bind = "127.0.0.1"\n' $PWD >l.conf
# expect: the page, exit code 0 after SIGTERM
/usr/sbin/lighttpd -D -f l.conf 2>/dev/null &
printf 'GET /page HTTP/1.0\r\n\r\n' | ask 127.0.0.1 8332 >output
kill -TERM $!
wait $! && grep -q hello output
