#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: iperf3
# threads: 2 processes
# expect: the client is served, the server ends after it
/usr/bin/iperf3 -s -1 -p 8314 >/dev/null &
until /usr/bin/iperf3 -c 127.0.0.1 -p 8314 -n 16K -l 4K >output; do
	sleep 0.1
done
wait $!
