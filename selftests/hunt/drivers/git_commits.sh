#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: git
# threads: 4 processes
# prepare: git -c init.defaultBranch=m init -q . && echo a >a && echo b >b && git config \
# prepare: user.name u && git config user.email u@localhost && git config gc.auto 0 && cp -r \
# prepare: .git saved
# expect: of two "git add" at a time each adds its file or says that the index is locked
rm -rf .git && cp -r saved .git
HOME=$PWD; export HOME
/usr/bin/git add a 2>a.err &
/usr/bin/git add b 2>b.err
b=$?
wait $!
a=$?
want=0
if [ $a = 0 ]; then want=$((want + 1)); else grep -q index.lock a.err || exit 2; fi
if [ $b = 0 ]; then want=$((want + 1)); else grep -q index.lock b.err || exit 3; fi
[ $want -gt 0 ] && [ "$(/usr/bin/git ls-files | wc -l)" = $want ] || exit 4
