#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: python3
# threads: 3 processes
# expect: two processes add to a shared value under its lock
exec /usr/bin/python3 -I -c '
import multiprocessing as m
c = m.get_context("fork")
v = c.Value("i", 0)
def add():
    with v.get_lock():
        v.value += 1
ps = [c.Process(target=add) for i in range(2)]
for p in ps: p.start()
for p in ps: p.join()
assert v.value == 2 and all(p.exitcode == 0 for p in ps)'
