#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: python3
# threads: 3
# expect: an executor that is shut down while it works gives all results
exec /usr/bin/python3 -I -c '
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(2) as e:
    f = [e.submit(lambda x: x + 1, i) for i in range(2)]
    e.shutdown(wait=False)
assert [x.result() for x in f] == [1, 2]'
