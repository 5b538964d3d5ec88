#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# chessctl replay --gdb comes to an end, and follows the trace to it, for programs that fork,
# execute others, have threads and take signals, with commands from a pipe and from a
# terminal; and where the trace ends in a deadlock or livelock. So does replay --watch, with
# nobody there to type. Run inside the VM, as root, with the module loaded; needs gdb.
#
# BUILD  build directory (default build)
# TIMES  how often each (default 20)
# WATCH  traces of which programs of programs/wrong are watched (default all)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
TIMES=${TIMES:-20}
chessctl=$BUILD/chessctl
program=$BUILD/selftests/inputs/debugged
wrong=$BUILD/selftests/programs/wrong
read -r -a watched <<<"${WATCH:-$(cd "$wrong" && ls -I '*.d' | tr '\n' ' ')}"
# Of one replay; what hangs does so for ever.
LIMIT=600

need "$chessctl" "$program" "$wrong/abba"
type gdb >/dev/null 2>&1 || skip_all "no gdb; apt-get install gdb"
own_folder gdb-kinds
cd "$out" || exit 1
# No settings of gdb; for all runs, since the environment moves the stack.
export HOME=$out

# What is typed for each kind; a signal that is sent stops the program.
declare -A typed=([fork]='continue' [exec]='continue' [threads]='continue'
	[signals]='continue continue continue continue')

# from_pipe TRACE COMMAND...
from_pipe()
{
	local trace=$1

	shift
	printf '%s\n' "$@" 'set confirm off' quit |
		timeout -k 5 $LIMIT "$chessctl" replay --host --gdb "$trace" >said 2>&1
}

# from_terminal TRACE COMMAND...: each is typed when gdb asks
from_terminal()
{
	timeout -k 5 $LIMIT python3 - "$chessctl" "$@" >said 2>&1 <<'END'
import os, pty, sys
pid, fd = pty.fork()
if not pid:
    os.execv(sys.argv[1], [sys.argv[1], "replay", "--host", "--gdb", sys.argv[2]])
todo = sys.argv[3:] + ["set confirm off", "quit"]
seen = b""
while True:
    try:
        got = os.read(fd, 4096)
    except OSError:
        got = b""
    if not got:
        break
    os.write(1, got)
    seen = (seen + got)[-200:]
    if todo and seen.endswith(b"(gdb) "):
        os.write(fd, todo.pop(0).encode() + b"\n")
        seen = b""
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
}

# times COMMAND...: TIMES times, until it fails
times()
{
	local i

	for ((i = 0; i < TIMES; i++)); do
		"$@" || { echo "time $((i + 1)): code $?" >>said; return 1; }
	done
}

followed()
{
	"$@"
	[ $? = 1 ] && grep -q 'the run under gdb followed the trace to its end' said
}

# The program is stopped in its deadlock, and gdb can look at it.
stuck()
{
	"$1" "$2" continue 'print 42+1' continue && return 1
	grep -q 'it is stopped for gdb' said && grep -q 'SIGINT' said && grep -q ' = 43' said &&
		grep -q 'the run under gdb followed the trace to its end' said
}

watches()
{
	timeout -k 5 $LIMIT "$chessctl" replay --host --watch environ "$1" >said 2>&1 </dev/null
	[ $? -lt 124 ]
}

echo "KTAP version 1"
echo "1..$((10 + ${#watched[@]}))"
for kind in fork exec threads signals; do
	read -r -a commands < <(echo "${typed[$kind]}")
	"$chessctl" run --host --record $kind.trace -- "$program" $kind >said 2>&1
	for how in from_pipe from_terminal; do
		times followed $how $kind.trace "${commands[@]}"
		result $? "${kind}_$how"
	done
done
"$chessctl" explore --host --no-bpf --out t -- "$wrong/fork_mutex" >said 2>&1
for how in from_pipe from_terminal; do
	times stuck $how t/fork_mutex-deadlock-1.trace
	result $? "deadlock_$how"
done
for one in "${watched[@]}"; do
	rm -rf w
	"$chessctl" explore --host --no-bpf --out w -- "$wrong/$one" >said 2>&1
	set -- w/*.trace
	[ -e "$1" ] && watches "$1"
	result $? "watch_of_${one}_ends"
done
totals
