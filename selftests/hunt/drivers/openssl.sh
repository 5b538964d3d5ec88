#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: openssl
# threads: 3 processes
# expect: exit code 0
exec /usr/bin/openssl speed -multi 2 -seconds 1 -bytes 16 -evp sha1 >/dev/null 2>&1
