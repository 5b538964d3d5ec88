#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# chessctl replay --gdb has the surroundings of the trace: the same pids, an empty /tmp,
# the working directory as it was, a network of its own; and the run under gdb follows
# the trace. Run inside the VM, as root, with the module loaded; needs gdb.
#
# BUILD  build directory (default build)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
chessctl=$BUILD/chessctl
program=$BUILD/selftests/inputs/surroundings

for f in "$chessctl" "$program"; do
	[ -x "$f" ] || skip_all "no $f; run make tests"
done
type gdb >/dev/null 2>&1 || skip_all "no gdb; apt-get install gdb"

out=$(mktemp -d "$PWD/gdb.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
mkdir "$out/dir" && cd "$out/dir" || exit 1
# No settings of gdb; for all runs, since the environment moves the stack.
export HOME=$out
cp "$program" program
printf 'four' >kept

ktap_output=$out/got

# gdb COMMAND...: replays, gdb gets the commands
gdb()
{
	local c

	for c in "$@" "set confirm off" quit; do echo "$c"; done |
		timeout 60 "$chessctl" replay --host --gdb "$out"/traces/*.trace >"$out/got" 2>&1
	code=$?
}

echo "KTAP version 1"
echo "1..6"
"$chessctl" explore --host --private-tmp --overlay --no-network --out "$out/traces" \
	-- ./program --fail >"$out/got" 2>&1
[ $? = 1 ]
result $? trace_of_a_bug

# Up to its abort, and then to its end.
gdb continue continue continue
printf '%s\n' 'tmp 0 files, no mark' 'kept 5 bytes' 'made now' 'device lo' 'port free' 'pid 2' >"$out/wanted"
[ "$(grep -cxFf "$out/wanted" "$out/got")" = 6 ]
result $? surroundings_are_those_of_the_trace
[ $code = 1 ] && grep -q 'SIGABRT' "$out/got" &&
	grep -q 'the run under gdb followed the trace to its end' "$out/got"
result $? bug_is_there_again
[ "$(cat kept)" = four ] && [ ! -e made ] && [ ! -e /tmp/surroundings.mark ] &&
	! pgrep -x program >/dev/null && ! pgrep -x chess-init >/dev/null
result $? nothing_stays

# gdb's own threads must not take the numbers of the program's.
gdb 'break work' continue continue 'info threads' 'print lock'
grep -q 'LWP 2)' "$out/got" && grep -q 'LWP 3)' "$out/got" && grep -q '__data = {' "$out/got"
result $? threads_have_the_pids_of_the_trace

# On a terminal, whose foreground group has no number where gdb is.
python3 - "$chessctl" "$(echo "$out"/traces/*.trace)" >"$out/got" 2>&1 <<'END'
import glob, os, pty, select, sys, time
# In front of a program that waits for ever, gdb must see the key.
pid, fd = pty.fork()
if not pid:
    os.execv(sys.argv[1], [sys.argv[1], "replay", "--host", "--gdb", sys.argv[2]])
seen = b""
def wait(text):
    global seen
    end = time.time() + 60
    while text not in seen:
        if not select.select([fd], [], [], max(0, end - time.time()))[0]:
            sys.exit("no %s in %s" % (text, seen))
        try:
            seen += os.read(fd, 4096)
        except OSError:
            sys.exit("the end comes before %s in %s" % (text, seen))
    seen = seen[seen.index(text) + len(text):]
# Of a thread that is in pause(); gdb takes a key that comes earlier for itself.
def is_waiting():
    for path in glob.glob("/proc/[0-9]*/task/*/syscall"):
        try:
            if open(os.path.dirname(path) + "/comm").read() == "program\n" and \
               open(path).read().startswith("34 "):
                return True
        except OSError:
            pass
wait(b"_start")
wait(b"(gdb) ")
os.write(fd, b"break work\ncontinue\n")
wait(b"hit Breakpoint")
wait(b"(gdb) ")
os.write(fd, b"set confirm off\ndelete\ncall (int)pause()\n")
while not is_waiting():
    time.sleep(0.2)
os.write(fd, b"\3")
wait(b"SIGINT")
wait(b"(gdb) ")
os.write(fd, b"quit\n")
# The call was not in the trace.
wait(b"the run under gdb left the trace")
END
result $? ctrl_c_on_a_terminal

totals
