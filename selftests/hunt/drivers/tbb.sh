#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libtbb12
# threads: 3
# expect: a parallel sum of four numbers by two workers
exec tbb
