#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# chessctl step where the VM is started by chessctl itself: commands come from a pipe or a
# terminal of the host, and what is saved is there afterwards. Run on the host.
#
# BUILD  build directory (default build)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C NO_COLOR=1
cd "$(dirname "$0")/../.." || exit 1
BUILD=$(realpath "${BUILD:-build}")
chessctl=$BUILD/chessctl
. selftests/ktap.sh
need "$chessctl" "$BUILD/selftests/programs/wrong/abba"
out=$(mktemp -d /var/tmp/chess-step.XXXXXX) || exit 1
trap 'rm -rf "$out"' EXIT
cp "$BUILD/selftests/programs/wrong/abba" "$out" && cd "$out" || exit 1
ktap_output=$out/got

echo "KTAP version 1"
echo "1..6"
printf '%s\n' 'until object b' T1 'save dead.trace' |
	timeout 200 "$chessctl" step --vm -- ./abba >got 2>&1
[ $? = 1 ] && [ -f chess-traces/dead.trace ]
result $? "a trace that was saved in the VM is here"
timeout 200 "$chessctl" replay --vm --times 5 chess-traces/dead.trace >got 2>&1
[ $? = 1 ] && grep -q '5 of 5 replays, records identical bit for bit' got
result $? "and it replays"
printf '%s\n' "save $out/elsewhere.trace" | timeout 200 "$chessctl" step --vm -- ./abba >got 2>&1
[ $? = 2 ] && [ ! -e elsewhere.trace ] && grep -q "only 'chess-traces' can be written" got
result $? "what would be lost is refused"
printf 'quit\n' | timeout 200 "$chessctl" step --vm --out new -- ./abba >got 2>&1
[ $? = 0 ] && [ ! -e new ]
result $? "a folder for nothing is not left behind"

# Types each line when there is a prompt; the arrow brings "next" back.
cat >typist.py <<'END'
import os, pty, select, sys

pid, terminal = pty.fork()
if not pid:
    os.environ["TERM"] = "xterm"
    os.execv(sys.argv[1], [sys.argv[1], "step", "--plain", "--vm", "--", "./abba"])
seen = b""
for typed in (b"next\r", b"\x1b[A\r", b"T1\r", b"\x04"):
    start = len(seen)
    while b"step> " not in seen[start:]:
        if not select.select([terminal], [], [], 200)[0]:
            sys.exit("no prompt")
        seen += os.read(terminal, 4096)
    seen += b"|"
    os.write(terminal, typed)
try:
    while True:
        part = os.read(terminal, 4096)
        if not part:
            break
        seen += part
except OSError:
    pass
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
timeout 200 python3 typist.py "$chessctl" >got 2>&1
code=$?
[ $code = 0 ] && grep -q 'event 16: T0 is about to unlock b' got &&
	grep -q 'event 16: T1 in place of T0; .* with 1 preemption: ok' got
result $? "typed at a terminal, with a history"

# The terminal and its size reach the VM, and so do keys. What is drawn is tested in screen.py.
cat >screen.py <<'END'
import fcntl, os, pty, select, struct, sys, termios

pid, terminal = pty.fork()
if not pid:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    os.environ["TERM"] = "xterm"
    os.execv(sys.argv[1], [sys.argv[1], "step", "--vm", "--", "./abba"])
seen = b""
while b"q quit" not in seen:
    if not select.select([terminal], [], [], 200)[0]:
        sys.exit("no screen")
    seen += os.read(terminal, 4096)
os.write(terminal, b"q")
try:
    while True:
        part = os.read(terminal, 4096)
        if not part:
            break
        seen += part
except OSError:
    pass
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
timeout 200 python3 screen.py "$chessctl" >got 2>&1
code=$?
[ $code = 0 ] && grep -q 'abba  event 14 of' got && grep -qF $'\e[30' got
result $? "the whole screen, of a terminal of the host"
totals
