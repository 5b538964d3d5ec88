#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: python3
# threads: 5
# expect: two threads that each run a child get its exit code
exec /usr/bin/python3 -IS -c '
import subprocess, threading
r = {}
def run(i):
    r[i] = subprocess.run(["/bin/sh", "-c", "exit %d" % i]).returncode
ts = [threading.Thread(target=run, args=(i,)) for i in (3, 4)]
for t in ts: t.start()
for t in ts: t.join()
assert r == {3: 3, 4: 4}'
