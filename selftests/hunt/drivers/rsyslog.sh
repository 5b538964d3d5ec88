#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: rsyslog
# threads: 2 processes, 3 threads
# prepare: printf 'module(load="imtcp")\ninput(type="imtcp" address="127.0.0.1" port="8331")\n'\
# prepare: 'action(type="omfile" file="%s/output")\n' $PWD >r.conf
# expect: a message that was received is written, exit code 0 after SIGTERM
rm -f output
/usr/sbin/rsyslogd -n -i "$PWD/pid" -f "$PWD/r.conf" 2>/dev/null &
printf '<13>Jan  1 00:00:00 host tag: hello\n' | ask 127.0.0.1 8331 -w
sleep 1
kill -TERM $!
wait $! && grep -q hello output
