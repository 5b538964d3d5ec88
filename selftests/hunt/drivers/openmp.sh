#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libgomp1
# threads: 2
# expect: a reduction, a critical section and a task by two threads
exec openmp
