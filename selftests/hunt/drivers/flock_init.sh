#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: util-linux
# threads: 4 processes
# prepare: printf 'n=$(cat n); echo $((n + 1)) >n\n' >add
# expect: none of two additions under the lock is lost
echo 0 >n
/usr/bin/flock lock sh ./add &
/usr/bin/flock lock sh ./add
wait $!
[ "$(cat n)" = 2 ]
