#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: par2
# threads: 2
# prepare: numbers 300 >input
# expect: the set verifies
rm -f s.par2 s.vol*
/usr/bin/par2 create -q -q -t2 -s256 -c2 -n1 s.par2 input && /usr/bin/par2 verify -q -q -t2 s.par2
