#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: fio
# threads: 3
# expect: exit code 0, both jobs end
exec /usr/bin/fio --name=j --thread --numjobs=2 --rw=randwrite --size=16k --bs=4k \
	--ioengine=sync --group_reporting --output=fio.out
