#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Uses a memcached from four connections and checks each answer.

memcached_load.py PORT SECONDS prints "REQUESTS FAILED".
"""
import socket
import sys
import threading
import time


class Client(threading.Thread):
    def __init__(self, port, number, end):
        super().__init__()
        self.port, self.number, self.end = port, number, end
        self.requests = self.failed = 0

    def ask(self, file, request, answer):
        file.write(request)
        file.flush()
        got = b"".join(file.readline() for _ in range(answer.count(b"\n")))
        self.requests += 1
        self.failed += got != answer

    def run(self):
        count = 0
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=60) as s:
                file = s.makefile("rwb")
                while time.monotonic() < self.end:
                    count += 1
                    key = b"key%d_%d" % (self.number, count % 50)
                    value = b"value%d" % count
                    self.ask(file, b"set %s 0 0 %d\r\n%s\r\n" % (key, len(value), value),
                             b"STORED\r\n")
                    self.ask(file, b"get %s\r\n" % key,
                             b"VALUE %s 0 %d\r\n%s\r\nEND\r\n" % (key, len(value), value))
        except OSError as error:
            print(f"memcached_load: {error}", file=sys.stderr)
            self.failed += 1


def main():
    port, seconds = int(sys.argv[1]), float(sys.argv[2])
    clients = [Client(port, n, time.monotonic() + seconds) for n in range(4)]
    for c in clients:
        c.start()
    for c in clients:
        c.join()
    print(sum(c.requests for c in clients), sum(c.failed for c in clients))


main()
