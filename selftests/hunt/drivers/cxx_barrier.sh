#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libstdc++6
# threads: 2
# expect: two phases of a barrier and a latch
exec cxx_barrier
