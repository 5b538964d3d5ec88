#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: git
# threads: 3
# prepare: git -c init.defaultBranch=m init -q . && for i in 1 2 3 4 5 6; do numbers $i >f$i
# prepare: done && git add . && git -c user.name=u -c user.email=u@localhost commit -qm x
# expect: all files
HOME=$PWD /usr/bin/git grep --threads=2 -c 16807 >output && [ "$(wc -l <output)" = 7 ]
