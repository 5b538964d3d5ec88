#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""A thread for each connection, a lock that all of them want: http_server.py PORT."""
import http.server
import sys
import threading

lock = threading.Lock()
served = 0


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        global served
        with lock:
            served += 1
        body = b"a page\n"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


http.server.ThreadingHTTPServer.request_queue_size = 64
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Page).serve_forever()
