#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libstdc++6
# threads: 2
# expect: async, a promise and call_once
exec cxx_future
