#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: dpkg
# threads: 4 processes
# expect: init scripts rely on it: of two starts at a time with one pid file one daemon is started
rm -f pid
/sbin/start-stop-daemon -S -q -m -p "$PWD/pid" -x /bin/sleep -- 1 &
/sbin/start-stop-daemon -S -q -m -p "$PWD/pid" -x /bin/sleep -- 1
a=$?
wait $!
b=$?
# 0 started, 1 there was one already
[ $((a + b)) = 1 ]
