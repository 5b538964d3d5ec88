#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libjemalloc2
# threads: 3
# expect: what one thread allocates another frees, while both start and end
exec jemalloc
