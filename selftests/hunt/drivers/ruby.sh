#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: ruby3.1
# threads: 4
# expect: a queue gives what was put into it, a mutex loses no addition
exec /usr/bin/ruby3.1 --disable-gems -e '
q, m, n = Queue.new, Mutex.new, 0
t = 2.times.map { Thread.new { m.synchronize { n += 1 }; q << 1 } }
t.each(&:join)
exit(n == 2 && q.pop + q.pop == 2)'
