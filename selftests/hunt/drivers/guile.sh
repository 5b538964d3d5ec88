#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: guile-3.0
# threads: 4
# expect: two threads under a mutex
exec /usr/bin/guile --no-auto-compile -q -c '
(use-modules (ice-9 threads))
(define n 0) (define m (make-mutex))
(define (add) (with-mutex m (set! n (+ n 1))))
(let ((a (call-with-new-thread add)) (b (call-with-new-thread add)))
  (join-thread a) (join-thread b) (exit (if (= n 2) 0 1)))'
