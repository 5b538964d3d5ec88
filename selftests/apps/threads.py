# SPDX-License-Identifier: GPL-2.0-only
"""Four threads take numbers from a queue and put results into another."""
import hashlib
import queue
import threading

todo = queue.Queue(maxsize=3)
done = queue.Queue()


def work():
    while True:
        n = todo.get()
        if n is None:
            break
        done.put((n, hashlib.sha256(str(n).encode()).hexdigest()))
        todo.task_done()


threads = [threading.Thread(target=work) for _ in range(4)]
for t in threads:
    t.start()
for n in range(20):
    todo.put(n)
todo.join()
for _ in threads:
    todo.put(None)
for t in threads:
    t.join()
for n, digest in sorted(done.get() for _ in range(20)):
    print(n, digest)
