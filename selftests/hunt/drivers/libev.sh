#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libev4
# threads: 2
# expect: ev_async_send() of a thread wakes the loop
exec libev
