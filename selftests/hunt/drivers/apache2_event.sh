#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: apache2-bin
# threads: 3 processes, 5 threads
# prepare: echo hello >page; printf 'ServerName localhost\nServerRoot "%s"\n'\
# prepare: 'DefaultRuntimeDir "%s"\nPidFile pid\nListen 127.0.0.1:8333\n'\
# prepare: 'LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so\n'\
# prepare: 'LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so\n'\
# prepare: 'ErrorLog e.log\nUser www-data\nGroup www-data\nDocumentRoot "%s"\nStartServers 1\n'\
# prepare: 'ThreadsPerChild 2\nThreadLimit 2\nMaxRequestWorkers 2\nMinSpareThreads 1\n'\
# prepare: 'MaxSpareThreads 2\n' $PWD $PWD $PWD >a.conf
# expect: an answer, exit code 0 after SIGTERM
/usr/sbin/apache2 -D FOREGROUND -d "$PWD" -f "$PWD/a.conf" &
printf 'GET /page HTTP/1.0\r\n\r\n' | ask 127.0.0.1 8333 >output
kill -TERM $!
wait $! && [ -s output ]
