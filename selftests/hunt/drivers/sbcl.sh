#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: sbcl
# threads: 3
# expect: two threads under a mutex
exec /usr/bin/sbcl --noinform --no-sysinit --no-userinit --non-interactive --eval '
(let* ((n 0) (m (sb-thread:make-mutex))
       (ts (loop repeat 2 collect
	     (sb-thread:make-thread (lambda () (sb-thread:with-mutex (m) (incf n)))))))
  (mapc (function sb-thread:join-thread) ts)
  (sb-ext:exit :code (- 2 n) :abort t))'
