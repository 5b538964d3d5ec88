#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libstdc++6
# threads: 3
# expect: a timed lock of a shared mutex gets it or gives up
exec cxx_shared_timed
