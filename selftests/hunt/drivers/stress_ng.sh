#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: stress-ng
# threads: 3 processes
# expect: exit code 0
exec /usr/bin/stress-ng -q --no-rand-seed --pipe 1 --pipe-ops 4 --temp-path .
