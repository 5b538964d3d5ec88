#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libglib2.0-tests
# threads: 3
# expect: test of glib itself passes
exec /usr/libexec/installed-tests/glib/gdbus-close-pending --tap
