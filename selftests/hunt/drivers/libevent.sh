#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libevent-2.1-7
# threads: 2
# expect: an event that another thread activates runs, and the loop ends
exec libevent
