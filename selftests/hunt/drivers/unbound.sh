#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: unbound
# threads: 2 processes, 2 threads
# prepare: printf '\0\030\1\2\1\0\0\1\0\0\0\0\0\0\1a\4test\0\0\1\0\1' >query; printf 'server:\n'\
# prepare: ' num-threads: 2\n interface: 127.0.0.1\n port: 8329\n username: ""\n chroot: ""\n'\
# prepare: ' directory: "%s"\n pidfile: "%s/pid"\n use-syslog: no\n logfile: "%s/log"\n'\
# prepare: ' module-config: "iterator"\n local-zone: "test." static\n'\
# prepare: ' local-data: "a.test. A 127.0.0.2"\nremote-control:\n control-enable: no\n' $PWD \
# prepare: $PWD $PWD >u.conf
# expect: an answer over TCP, exit code 0 after SIGTERM
/usr/sbin/unbound -d -c u.conf 2>/dev/null &
ask 127.0.0.1 8329 -n 30 <query >output
kill -TERM $!
wait $! && [ -s output ]
