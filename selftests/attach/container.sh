#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# attach, status and detach with a service in a mount and a pid namespace of its own, whose
# program and C library nobody outside sees: from outside, and from inside. Run inside the
# VM, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# Usage: container.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
# shellcheck source=selftests/attach/suite.sh
. "$here/suite.sh"
program=$(readlink -f "$BUILD/selftests/attach/deadlock_service")

need "$CHESSCTL" "$program"
own_folder container
trap 'kill -9 $pid $container 2>/dev/null; rm -rf "$out"' EXIT
own=$out/own
mkdir "$own"

ask() { "$program" "$out/socket" "$@" >/dev/null; }

inside() { nsenter --target "$pid" --mount --pid -- "$@"; }

# soon COMMAND...: it succeeds within a minute
soon()
{
	local i

	for ((i = 0; i < 300; i++)); do
		"$@" && return
		sleep 0.2
	done
	return 1
}

# status_says WORDS [COMMAND...]: chessctl status does, run by the command
status_says() { "${@:2}" "$CHESSCTL" status --no-bpf 2>/dev/null | grep -q "$1"; }

# from [COMMAND...] -- ARGUMENT...: attach in the background, run by the command
from()
{
	local by=()

	while [ "$1" != -- ]; do
		by+=("$1")
		shift
	done
	"${by[@]}" "$CHESSCTL" attach "${@:2}" >"$out/answer" 2>"$out/said" &
	owner=$!
}

echo "KTAP version 1"
echo "1..11"

libc=$(ldd "$program" | sed -n 's/.*libc.so.6 => \([^ ]*\).*/\1/p')
# The first process of the namespace is a shell: process 1 is refused.
# shellcheck disable=SC2016 # expanded inside
unshare --mount --pid --fork --mount-proc bash -c '
	mount -t tmpfs none "$1" && cp "$2" "$1/bank" && cp "$3" "$1/" &&
		LD_LIBRARY_PATH=$1 "$1/bank" "$4"; true' sh "$own" "$program" "$libc" "$out/socket" &
container=$!
soon test -S "$out/socket"
pid=$(pgrep -x bank)
inner=$(sed -n 's/^NSpid:.*\t//p' "/proc/$pid/status")
[ ! -e "$own/bank" ] && [ -n "$inner" ] && [ "$inner" != "$pid" ] &&
	grep -q "$own/libc.so.6" "/proc/$pid/maps"
result $? "a service whose files and pids are its own"

from -- "$pid" --record "$out/trace" --points sync --for 5 --json
soon status_says "attached to process $pid"
ask work
# Of three mutexes, which are taken and given back.
wait $owner && says '"trace"' && [ "$(number points)" -ge 6 ]
result $? "points in a library that the outside does not see"
says "process $pid is pid $inner in its own pid namespace"
result $? "it is said which number it has inside"

from -- "$pid" --perturb
soon status_says "T0 .*pid $pid " && status_says "^ *pid $inner inside"
result $? "so does status"
status_says "attached to process $inner;" inside && status_says "T0 .*pid $inner " inside &&
	! status_says "inside" inside
result $? "from inside, the numbers are those inside"
"$CHESSCTL" detach "$pid" && wait $owner && no_groups
result $? "it is let go"

from -- "$pid" --catch --catch-at "$own/bank:work"
soon grep -q "is watched" "$out/said"
ask work &
client=$!
soon grep -q "gdb -p $pid" "$out/answer"
says "^REACHED .*: $pid bank, .* now in .* at deadlock_service.c" &&
	says "T0 *$pid bank "
result $? "a function of its program is waited for, and places in it have names"
kill -TERM $owner
wait $owner $client

from inside -- "$inner" --catch --catch-at libc.so.6:accept
soon grep -q "is watched" "$out/said"
ask work &
client=$!
soon grep -q "gdb -p $inner" "$out/answer"
says "^REACHED libc.so.6:accept .*: $inner bank, .* now in " && says "T0 *$inner bank "
result $? "the same from inside, with the numbers inside"
inside "$CHESSCTL" detach "$inner"
wait $owner
[ $? = 1 ] && wait $client && no_groups
result $? "it is let go from inside"

from inside -- "$inner" --record "$out/trace"
soon status_says "attached to process $pid;"
"$CHESSCTL" detach "$pid" && wait $owner && no_groups
result $? "what was attached to from inside is let go from outside"

# The owner, stopped, still has the group with the files when their mount goes away.
from -- "$pid" --record "$out/trace"
soon status_says "attached to process $pid;"
kill -STOP $owner
kill -9 "$pid"
wait $container
sleep 1
kill -CONT $owner
wait $owner
no_groups && ! dmesg | grep -A 20 "Busy inodes" >>"$out/said"
result $? "the container may end, with its files, while its traps are known"
totals
