#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: swi-prolog-nox
# threads: 4
# expect: two threads send their messages
exec /usr/bin/swipl -f none -t 'halt(1)' -g 'thread_self(M),
	forall(member(X, [1, 2]),
	       thread_create(thread_send_message(M, x(X)), _, [detached(true)])),
	thread_get_message(x(1)), thread_get_message(x(2)), halt'
