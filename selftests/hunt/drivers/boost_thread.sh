#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libboost-thread1.74.0
# threads: 2
# expect: an interrupted wait ends, a future gives its value
exec boost_thread
