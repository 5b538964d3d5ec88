#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: transmission-cli
# threads: 3
# prepare: numbers 2000 >file; mkdir -p home
# expect: a torrent is made of a file
rm -f t.torrent
HOME=$PWD/home /usr/bin/transmission-create -o t.torrent file >/dev/null && [ -s t.torrent ]
