# SPDX-License-Identifier: GPL-2.0-only
"""The editor's side of chessctl replay --gdb --interpreter mi: for mi.py and gdb_all.py."""

import os
import re
import select
import subprocess
import tempfile
import time

LIMIT = 120     # seconds for one answer


class Wrong(Exception):
    pass


class Front:
    """The editor's side: commands with tokens, and what happens without being asked for."""

    last = None

    def __init__(self, chessctl, interpreter, trace, at):
        self.errors = tempfile.TemporaryFile()
        Front.last = self
        self.p = subprocess.Popen([chessctl, "replay", "--host", "--gdb", "--interpreter",
                                   interpreter, "--at", at, trace], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, stderr=self.errors)
        self.token, self.log, self.rest, self.at = 1000, [], b"", 0

    def line(self, what):
        end = time.monotonic() + LIMIT
        while b"\n" not in self.rest:
            if not select.select([self.p.stdout], [], [], max(0, end - time.monotonic()))[0]:
                raise Wrong("no %s after %s" % (what, "\n".join(self.log[-30:])))
            part = os.read(self.p.stdout.fileno(), 65536)
            if not part:
                raise Wrong("the end in place of %s after %s" % (what, "\n".join(self.log[-30:])))
            self.rest += part
        line, self.rest = self.rest.split(b"\n", 1)
        self.log.append(line.decode(errors="replace").strip())
        return self.log[-1]

    def until(self, pattern):
        """The next line that has it, from the last one that was waited for on"""
        while True:
            while self.at < len(self.log):
                self.at += 1
                if re.search(pattern, self.log[self.at - 1]):
                    return self.log[self.at - 1]
            self.line(pattern)

    def raw(self, line):
        """As it is; what is waited for afterwards comes after it."""
        self.at = len(self.log)
        self.p.stdin.write(b"%s\n" % line.encode())
        self.p.stdin.flush()

    def send(self, command, wanted="done"):
        """Its answer, and what was said to people before that"""
        self.token += 1
        start = self.at = len(self.log)
        self.p.stdin.write(b"%d%s\n" % (self.token, command.encode()))
        self.p.stdin.flush()
        answer = self.until(r"^%d\^" % self.token)
        if not re.match(r"^%d\^(%s)\b" % (self.token, wanted), answer):
            raise Wrong("%s: %s" % (command, answer))
        said = "".join(line[2:-1] for line in self.log[start:self.at] if line.startswith('~"'))
        return answer, said.replace("\\n", "\n").replace('\\"', '"')

    def frame(self, thread, function, line):
        """Where a thread is, on the way out of the C library"""
        frames = self.send("-stack-list-frames --thread %d 0 1000" % thread)[0]
        found = re.search(r'func="%s",.*?line="(\d+)"' % function, frames)
        if not found or int(found.group(1)) != line:
            raise Wrong("thread %d is not in %s:%d: %s" % (thread, function, line, frames))

    def drop(self):
        """After a failure: the end of its input ends gdb, and that the program."""
        if self.p.poll() is not None:
            return
        self.p.stdin.close()
        try:
            self.p.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.p.kill()

    def console(self, command, wanted="done"):
        """A command of gdb. Its answer, and what it said to people; if the program ran, at its stop"""
        words = '-interpreter-exec console "%s"' % command
        answer, said = self.send(words, "done|running" if wanted == "done" else wanted)
        if "^running" in answer:
            self.until(r"^\*stopped")
            said += self.until(r'^~"event \d+:')[2:-1].replace("\\n", "\n")
        return answer, said

    def leave(self, code):
        """What chessctl says of the run then, on stderr. @code: None, any"""
        self.send("-gdb-exit", "exit")
        self.p.stdin.close()
        if self.p.wait(LIMIT) != code and code is not None:
            raise Wrong("exit code %d" % self.p.returncode)
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace")


def has(text, *patterns):
    for pattern in patterns:
        if not re.search(pattern, text):
            raise Wrong("no '%s' in %s" % (pattern, text))


def only_mi(front):
    """All that came is GDB/MI: an editor takes the rest for output of the program."""
    for line in front.log:
        if line and not re.match(r'^(\d*[\^*+=]|[~@&]"|\(gdb\))', line):
            raise Wrong("not GDB/MI: %s" % line)
