#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: nghttp2-server nghttp2-client
# threads: 2 processes, 3 threads
# prepare: echo hello >page
# expect: the page over HTTP/2
/usr/sbin/nghttpd -n 2 --no-tls -d "$PWD" -a 127.0.0.1 8338 >/dev/null &
ask 127.0.0.1 8338 -w
/usr/bin/nghttp http://127.0.0.1:8338/page >output
kill -TERM $!
wait $!
grep -q hello output
