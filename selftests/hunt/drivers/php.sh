#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: php8.2-cli
# threads: 3 processes
# expect: none of two additions under flock() is lost
echo 0 >n
p='$f=fopen("n","c+"); flock($f,LOCK_EX); $n=(int)fgets($f); rewind($f); fwrite($f,($n+1)."\n'\
'"); fclose($f);'
/usr/bin/php8.2 -n -r "$p" &
/usr/bin/php8.2 -n -r "$p"
wait $! && [ "$(cat n)" = 2 ]
