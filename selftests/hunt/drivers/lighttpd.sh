#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: lighttpd
# threads: 2 processes
# prepare: echo hello >page; printf 'server.document-root = "%s"\nserver.port = 8332\n'\
# prepare: 'server.bind = "127.0.0.1"\n' $PWD >l.conf
# expect: the page; after SIGTERM exit code 0, or 1 if the connection is still open
/usr/sbin/lighttpd -D -f l.conf 2>/dev/null &
printf 'GET /page HTTP/1.0\r\n\r\n' | ask 127.0.0.1 8332 >output
kill -TERM $!
wait $! || [ $? = 1 ] || exit
grep -q hello output
