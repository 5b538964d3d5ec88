#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libmicrohttpd12
# threads: 3
# expect: a daemon with a pool of two threads answers and stops
exec libmicrohttpd
