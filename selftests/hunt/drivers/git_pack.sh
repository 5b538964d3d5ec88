#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: git
# threads: 3
# prepare: git -c init.defaultBranch=m init -q . && for i in 1 2 3 4 5 6; do numbers \
# prepare: $((i * 20)) >f$i; done && git add . && git -c user.name=u -c user.email=u@localhost \
# prepare: commit -qm x && git rev-list --objects --all | cut -d" " -f1 >objects
# expect: a pack of all objects
HOME=$PWD /usr/bin/git pack-objects --threads=2 -q --stdout <objects >output && [ -s output ]
