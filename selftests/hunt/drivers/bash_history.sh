#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: bash
# threads: 3 processes
# expect: of two shells that append to one history file no line is lost
: >history
h='HISTFILE=history; set -o history; history -s "$0"; history -a'
/bin/bash --norc -c "$h" one &
/bin/bash --norc -c "$h" two
wait $!
[ "$(wc -l <history)" = 2 ]
