#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libc6
# threads: 2
# expect: exit() of the main thread while another one prints and registers a handler
exec glibc_exit
