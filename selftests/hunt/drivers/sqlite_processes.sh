#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: sqlite3
# threads: 3 processes
# prepare: /usr/bin/sqlite3 -init /dev/null saved.db 'create table t(n); insert into t values(0)'
# expect: of two processes that add 1 none is lost
cp saved.db t.db
/usr/bin/sqlite3 -init /dev/null -cmd '.timeout 5000' t.db 'update t set n=n+1' &
/usr/bin/sqlite3 -init /dev/null -cmd '.timeout 5000' t.db 'update t set n=n+1' || exit 2
wait $! || exit 3
[ "$(/usr/bin/sqlite3 -init /dev/null t.db 'select n from t')" = 2 ]
