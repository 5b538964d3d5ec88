#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# chessctl vm (cli/vm/warm.c): a command takes the VM that is kept ready, and says so; it finds
# the host's files as they are then, writes its results, and leaves nothing to the next one; a
# VM and its QEMU end with the command, with the keeper and with its directory; what does not
# fit or is not closed to others is not taken. Runs on the host; KTAP on stdout.

# shellcheck disable=SC2034,SC2016 # conditions in single quotes use the variables

set -u
export LC_ALL=C
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
. selftests/ktap.sh
build=$(cd "${CHESS_BUILD:-$top/build}" && pwd) || exit 1
chessctl=$build/chessctl
tmp=$(mktemp -d) || exit 1
trap '"$chessctl" vm stop >/dev/null 2>&1; rm -rf "$tmp"' EXIT
mkdir -m 700 "$tmp/run"
export XDG_RUNTIME_DIR=$tmp/run
unset CHESS_VM_WARM

# in_vm ARGS...: a run of the program; sets code, leaves out and err
in_vm()
{
	"$chessctl" run --vm "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	code=$?
}

# expect NAME CONDITION...: all of them are true, as the shell evaluates them
expect()
{
	local name=$1 c

	shift
	for c; do
		eval "$c" && continue
		result 1 "$name" "not: $c"$'\n'"$(sed 's/^/out: /' "$tmp/out" | head -n 10
			sed 's/^/err: /' "$tmp/err" | head -n 20)"
		return
	done
	result 0 "$name"
}

says() { grep -q -- "$1" "$tmp/err"; }
state() { "$chessctl" vm --json status | sed -n 's/.*"state": *"\(.*\)".*/\1/p'; }
keeper() { "$chessctl" vm --json status | sed -n 's/.*"keeper": *\([0-9]*\).*/\1/p'; }
children() { cat "/proc/$1/task/$1/children" 2>/dev/null; }

# becomes STATE: within five minutes, which a machine that others use may need
becomes()
{
	local i

	for ((i = 0; i < 300; i++)); do
		[ "$(state)" = "$1" ] && return 0
		sleep 1
	done
	return 1
}

# gone PID...: each within 20 s
gone()
{
	local i pid

	[ $# -gt 0 ] || return 1
	for pid; do
		for ((i = 0; i < 200; i++)); do
			[ -d "/proc/$pid" ] && ! grep -q '^State:.Z' "/proc/$pid/status" 2>/dev/null || break
			sleep 0.1
		done
		[ $i -lt 200 ] || return 1
	done
}

echo "KTAP version 1"
echo "1..10"

: >"$tmp/err"
"$chessctl" vm start >"$tmp/out" 2>"$tmp/err"
code=$?
expect start_has_one_ready '[ $code = 0 ]' 'grep -q "a VM is ready" "$tmp/out"' \
	'[ "$(state)" = ready ]' '[ "$(stat -c %a "$tmp/run/chess")" = 700 ]'
"$chessctl" vm start >"$tmp/out" 2>"$tmp/err"
code=$?
expect second_start_is_refused '[ $code = 3 ]' 'says "kept ready already"'

# The file is younger than the VM.
echo young >"$tmp/file"
mkdir "$tmp/traces"
in_vm --record "$tmp/traces/r.trace" -- sh -c "cat $tmp/file; echo old >$tmp/file; echo /dev/shm/*; echo x >/dev/shm/x; exit 6"
expect command_takes_it '[ $code = 6 ]' 'says "kept ready"' \
	'[ "$(cat "$tmp/out")" = "young
/dev/shm/*" ]' '[ -s "$tmp/traces/r.trace" ]' '[ "$(cat "$tmp/file")" = young ]'
expect next_one_is_prepared 'becomes ready'
in_vm -- sh -c "cat $tmp/file; echo /dev/shm/*"
expect nothing_is_left_by_the_one_before 'says "kept ready"' '[ "$(cat "$tmp/out")" = "young
/dev/shm/*" ]'

# Other options need another machine.
becomes ready
CHESS_VM_WARM=no in_vm -- true
expect it_can_be_left '[ $code = 0 ]' '! says "kept ready"' '[ "$(state)" = ready ]'
chmod 755 "$tmp/run/chess"
in_vm -- true
expect directory_that_is_open_to_others_is_not_used '[ $code = 0 ]' '! says "kept ready"'
chmod 700 "$tmp/run/chess"

# The QEMU of a command ends with it, however it ends.
holder=$(children "$(keeper)")
qemu=$(children "${holder% }")
"$chessctl" run --vm -- sleep 1000 >"$tmp/out" 2>"$tmp/err" </dev/null &
pid=$!
for ((i = 0; i < 100; i++)); do
	says "kept ready" && break
	sleep 0.1
done
kill -KILL $pid
wait $pid 2>/dev/null
# shellcheck disable=SC2086 # numbers
expect vm_ends_with_its_command 'says "kept ready"' "gone $holder $qemu"

becomes ready
pid=$(keeper)
holder=$(children "$pid")
qemu=$(children "${holder% }")
kill -KILL "$pid"
# shellcheck disable=SC2086
expect vm_ends_with_its_keeper "gone $pid $holder $qemu"

"$chessctl" vm start >"$tmp/out" 2>"$tmp/err"
pid=$(keeper)
holder=$(children "$pid")
"$chessctl" vm stop >"$tmp/out" 2>"$tmp/err"
in_vm -- echo after
# shellcheck disable=SC2086
expect stop_ends_it '[ $code = 0 ]' '! says "kept ready"' '[ "$(state)" = none ]' "gone $pid $holder"
totals
