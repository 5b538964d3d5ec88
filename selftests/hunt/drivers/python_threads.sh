#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: python3
# threads: 3
# expect: none of two additions under a lock is lost
exec /usr/bin/python3 -IS -c '
import threading, queue
n, lock, q = 0, threading.Lock(), queue.Queue()
def add():
    global n
    with lock:
        n += 1
    q.put(1)
ts = [threading.Thread(target=add) for i in range(2)]
for t in ts: t.start()
for t in ts: t.join()
assert n == 2 and q.get() + q.get() == 2'
