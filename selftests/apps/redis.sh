#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# redis-server with its background threads, 200 commands of redis-cli and SHUTDOWN.
port=6311
/usr/bin/redis-server --port $port --bind 127.0.0.1 --save "" --appendonly no \
	--daemonize no --logfile /dev/null --loglevel warning &
tries=0
until answer=$(/usr/bin/redis-cli -p $port ping 2>/dev/null); do
	tries=$((tries + 1))
	[ $tries -lt 100 ] || exit 1
	sleep 0.1
done
echo "$answer"
i=0
while [ $i -lt 33 ]; do
	echo "SET key$i value$i"
	echo "INCRBY sum $i"
	echo "RPUSH list $i"
	echo "HSET hash field$i $i"
	echo "GET key$i"
	echo "UNLINK key$i"
	i=$((i + 1))
done | /usr/bin/redis-cli -p $port
/usr/bin/redis-cli -p $port LRANGE list 0 -1
/usr/bin/redis-cli -p $port SHUTDOWN NOSAVE
echo "client $?"
wait $!
echo "server $?"
