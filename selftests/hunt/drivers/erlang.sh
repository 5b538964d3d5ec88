#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: erlang-base
# threads: 10
# expect: a process gets the messages of two others
exec /usr/bin/erl -noinput +S 2:2 +A 1 +SDio 1 -boot no_dot_erlang -eval '
	S = self(), [spawn(fun() -> S ! I end) || I <- [1, 2]],
	N = lists:sum([receive X -> X end || _ <- [1, 2]]), halt(3 - N).'
