#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# memcached with three worker threads, 200 commands of the client its authors wrote,
# and its end by SIGTERM.
here=$(dirname "$0")
/usr/bin/memcached -u root -l 127.0.0.1 -p 11311 -U 0 -t 3 -m 8 &
/usr/bin/perl "$here/memcached.pl" 127.0.0.1:11311
echo "client $?"
kill -TERM $!
wait $!
echo "server $?"
