#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libnng1
# threads: 8
# expect: a message between two sockets of one process, then both are closed
exec nng
