#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: dbus-daemon dbus-bin
# threads: 4 processes
# prepare: printf '<busconfig><type>session</type><listen>unix:path=%s/bus</listen>'\
# prepare: '<policy context="default"><allow send_destination="*" eavesdrop="true"/>'\
# prepare: '<allow eavesdrop="true"/><allow own="*"/></policy></busconfig>' $PWD >b.conf
# expect: two clients at a time get their answers
rm -f bus
DBUS_SESSION_BUS_ADDRESS=unix:path=$PWD/bus
export DBUS_SESSION_BUS_ADDRESS
/usr/bin/dbus-daemon --config-file="$PWD/b.conf" --nofork --nosyslog &
daemon=$!
while [ ! -S bus ]; do sleep 0.1; done
ask="/usr/bin/dbus-send --session --print-reply --dest=org.freedesktop.DBus /"
$ask org.freedesktop.DBus.ListNames >o1 &
$ask org.freedesktop.DBus.ListNames >o2
wait $!
code=$?
kill -TERM $daemon
wait $daemon
[ $code = 0 ] && grep -q freedesktop o1 && grep -q freedesktop o2
