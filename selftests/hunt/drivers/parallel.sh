#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: parallel
# threads: 4 processes
# prepare: mkdir -p home/.parallel; touch home/.parallel/will-cite
# expect: the output of both jobs, in the order of the arguments
HOME=$PWD/home
export HOME
[ "$(/usr/bin/parallel -k -j2 echo ::: a b)" = "a
b" ]
