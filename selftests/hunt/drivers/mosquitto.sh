#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: mosquitto
# threads: 2 processes
# prepare: printf 'listener 8330 127.0.0.1\nallow_anonymous true\nuser root\nlog_dest none\n' \
# prepare: >m.conf; printf '\20\15\0\4MQTT\4\2\0\74\0\1a' >connect
# expect: a client is connected, exit code 0 after SIGTERM
/usr/sbin/mosquitto -c m.conf &
ask 127.0.0.1 8330 -n 4 <connect >output
kill -TERM $!
wait $! && [ -s output ]
