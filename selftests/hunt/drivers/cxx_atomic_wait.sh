#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libstdc++6
# threads: 2
# expect: atomic wait() ends after notify_one()
exec cxx_atomic_wait
