#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# nginx with a master and two workers, 20 requests of curl, four at a time, and its end
# by SIGQUIT. All files are below the working directory.
dir=$PWD/nginx
rm -rf "$dir"
mkdir -p "$dir/html" "$dir/got"
n=1
while [ $n -le 20 ]; do
	echo "this is page $n" >"$dir/html/page$n"
	n=$((n + 1))
done
cat >"$dir/nginx.conf" <<-END
	daemon off;
	worker_processes 2;
	pid $dir/pid;
	error_log $dir/error.log;
	events { worker_connections 32; }
	http {
		access_log off;
		client_body_temp_path $dir/body;
		proxy_temp_path $dir/proxy;
		fastcgi_temp_path $dir/fastcgi;
		uwsgi_temp_path $dir/uwsgi;
		scgi_temp_path $dir/scgi;
		server { listen 127.0.0.1:8311; root $dir/html; }
	}
END
/usr/sbin/nginx -p "$dir" -c "$dir/nginx.conf" -e "$dir/error.log" -g "user root;" &
curl --no-progress-meter --retry 50 --retry-delay 1 --retry-connrefused -Z --parallel-max 4 -o "$dir/got/#1" \
	"http://127.0.0.1:8311/page[1-20]"
echo "client $?"
kill -QUIT $!
wait $!
echo "server $?"
n=1
while [ $n -le 20 ]; do
	cat "$dir/got/$n"
	n=$((n + 1))
done
rm -rf "$dir"
