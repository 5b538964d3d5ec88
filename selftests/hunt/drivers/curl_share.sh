#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libcurl4
# threads: 2
# expect: two threads fetch a file each
exec curl_share
