#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libstdc++6
# threads: 3
# expect: each release() ends one acquire()
exec cxx_semaphore
