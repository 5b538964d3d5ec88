#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libstdc++6
# threads: 2
# expect: a wait that can be stopped ends, its callback ran or was removed
exec cxx_stop_token
