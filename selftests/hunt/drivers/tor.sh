#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: tor
# threads: 2 processes, 2 threads
# expect: starts without a network and ends with exit code 0 after SIGTERM
rm -rf data
/usr/bin/tor -f /dev/null --ignore-missing-torrc --DataDirectory "$PWD/data" --SocksPort \
	127.0.0.1:8336 --DisableNetwork 1 --NumCPUs 1 --Log "err stderr" --quiet &
ask 127.0.0.1 8336 -w
kill -TERM $!
wait $!
