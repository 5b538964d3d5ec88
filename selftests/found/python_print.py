# SPDX-License-Identifier: GPL-2.0-only
"""A thread prints while the main thread forks, and the child prints: CPython's issue 84579."""
import os
import sys
import threading


def report():
    print('thread', flush=True)


thread = threading.Thread(target=report)
thread.start()
pid = os.fork()
if pid == 0:
    print('child', flush=True)
    os._exit(0)
_, status = os.waitpid(pid, 0)
thread.join()
sys.exit(status != 0)
