#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libwebsockets17
# threads: 2
# expect: a thread cancels the service of a context, which is then destroyed
exec libwebsockets
