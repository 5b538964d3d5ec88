#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libuv1
# threads: 6
# expect: work of the pool and a message of a thread both reach the loop
exec libuv
