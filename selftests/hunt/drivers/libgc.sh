#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libgc1
# threads: 3
# expect: a collection while a second thread starts and ends
exec libgc
