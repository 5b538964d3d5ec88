#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libck0
# threads: 2
# expect: a ring between two threads keeps what was put into it
exec concurrencykit
