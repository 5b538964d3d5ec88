#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The embedded VM, through build/chess-vm: what a command inside sees, what
# comes back, and that nothing stays behind or passes for success when the VM
# dies; and, through build/chessctl, what a full disk of the host does to a search
# inside.  Runs on the host and boots about eighteen VMs; KTAP on stdout.

set -u
export LC_ALL=C
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
. selftests/ktap.sh
build=$(cd "${CHESS_BUILD:-$top/build}" && pwd) || exit 1
vm=$build/chess-vm
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"

# in_vm ARGS...: sets code, leaves out and err
in_vm()
{
	"$vm" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	code=$?
}

# expect NAME CONDITION...: the condition is a command
expect()
{
	local name=$1

	shift
	if "$@"; then
		result 0 "$name"
	else
		result 1 "$name" "$(sed 's/^/out: /' "$tmp/out" | head -n 10
			sed 's/^/err: /' "$tmp/err" | head -n 40)"
	fi
}

same() { [ "$(cat "$tmp/out")" = "$1" ]; }
says() { grep -q -- "$1" "$tmp/err"; }
all() { local c; for c in "$@"; do eval "$c" || return 1; done; }

# QEMU processes that are ours: their standard input came from us.
qemu_of() { cat "/proc/$1/task/$1/children" 2>/dev/null; }

# gone PID...: each is dead within 10 s
gone()
{
	local i pid

	[ $# -gt 0 ] || return 1
	for pid in "$@"; do
		for ((i = 0; i < 100; i++)); do
			[ -d "/proc/$pid" ] && ! grep -q '^State:.Z' "/proc/$pid/status" 2>/dev/null || break
			sleep 0.1
		done
		[ $i -lt 100 ] || return 1
	done
}

echo "KTAP version 1"
echo "1..32"

# Expansions in single quotes are for the shell inside the VM.
# shellcheck disable=SC2016
WORD='from the host' in_vm --no-module -- sh -c 'printf "%s|" "$PWD" "$WORD" "$@"; id -u;
	uname -r; umask; printf "e\r\n" >&2; exit 7' sh 'a b' '' $'c\nd'
expect command_sees_directory_environment_and_arguments same \
	"$top|from the host|a b||c"$'\n'"d|0"$'\n'"$(cat build/kernel/generic/release)"$'\n'"$(umask)"
expect exit_code_comes_back [ $code = 7 ]
expect stderr_is_separate_and_unchanged [ "$(od -An -tx1 "$tmp/err")" = " 65 0d 0a" ]

head -c 2000000 /dev/urandom >"$tmp/blob"
"$vm" --no-module -- cat <"$tmp/blob" >"$tmp/out.blob" 2>"$tmp/err"
expect binary_data_passes_through cmp -s "$tmp/blob" "$tmp/out.blob"

# shellcheck disable=SC2016
in_vm --no-module --cpus 4 --mem 1024 --append preempt=none -- bash -c '
	nproc; cat /sys/kernel/debug/sched/preempt
	(exec 3<>/dev/tcp/127.0.0.1/9) 2>&1 | grep -om1 "Connection refused"
	tr " " "\n" </proc/cmdline | grep -cE "^(panic_on_warn=1|oops=panic|hung_task_panic=1|softlockup_panic=1|panic=-1)$"
	ls /dev/pts /dev/shm /sys/kernel/tracing/trace /proc/self/fd/0 >/dev/null && echo mounts
	modprobe unix_diag && grep -o "^unix_diag" /proc/modules
	sleep 1000 & kill -SEGV $$'
expect machine_is_as_asked_and_complete same \
	$'4\n(none) voluntary full \nConnection refused\n5\nmounts\nunix_diag'
expect signal_comes_back_as_128_and_number [ $code = 139 ]

# Died within seconds while QEMU ran the CPUs in threads of their own (vm.c).
# shellcheck disable=SC2016
in_vm --no-module --cpus 2 -- sh -c 'cd /sys/kernel/tracing/events
	busy() { while :; do dd if=/dev/zero of=/dev/null bs=1 count=9999; done 2>/dev/null; }
	busy & busy &
	end=$(($(date +%s) + 8))
	while [ $(date +%s) -lt $end ]; do
		for on in 1 0; do echo $on >sched/enable; echo $on >raw_syscalls/enable; done
	done; echo done'
expect survives_patching_of_its_code same 'done'

# Where an interrupt came then, its return loaded them, and the VM died.
gcc -O2 -Wall -o "$tmp/flags" selftests/vm/flags.c
in_vm --no-module -- "$tmp/flags"
expect flags_are_flags [ $code = 0 ]

mkdir "$tmp/box,1"
chmod 777 "$tmp/box,1"
echo host >"$tmp/file"
in_vm --no-module --outbox "$tmp/box,1" -- sh -c "echo guest >$tmp/file && cat $tmp/file &&
	echo result >'$tmp/box,1/result' && head -c 300000 /dev/zero >'$tmp/box,1/big'"
expect host_is_read_only_below_a_private_layer all 'same guest' '[ "$(cat "$tmp/file")" = host ]'
expect outbox_is_shared all '[ "$(cat "$tmp/box,1/result")" = result ]' \
	'[ "$(stat -c %s "$tmp/box,1/big")" = 300000 ]'

in_vm --no-module -- /no/such/command
expect missing_command_is_127 all '[ $code = 127 ]' 'says "cannot run ./no/such/command"'

in_vm --no-module -- sh -c 'echo c >/proc/sysrq-trigger'
expect panic_fails_with_the_console_shown all '[ $code = 3 ]' 'says "the VM died"' \
	'says "Kernel panic"'

in_vm --no-module -- sh -c 'echo "<4>BUG: not really" >/dev/kmsg'
expect complaint_of_the_kernel_fails all '[ $code = 3 ]' 'says "kernel complained.*not really"'

# shellcheck disable=SC2034 # used in a condition
start=$SECONDS
in_vm --no-module --timeout 15 -- sleep 1000
expect timeout_fails all '[ $code = 3 ]' '[ $((SECONDS - start)) -lt 30 ]' 'says "within 15 s"' \
	'says "(sleep), S, .*nanosleep.*: sleep 1000"'

if [ -f kmod/chess.ko ]; then
	in_vm -- grep -c '^chess ' /proc/modules
	expect module_is_loaded_and_unloads all 'same 1' '[ $code = 0 ]'
else
	result skip module_is_loaded_and_unloads "kmod/chess.ko has not been built"
fi

# The VM must not outlive us, however we go.
for sig in KILL INT; do
	# Our caller may have us ignore SIGINT, as shells do in the background.
	env --default-signal=INT "$vm" --no-module -- sleep 1000 \
		>"$tmp/out" 2>"$tmp/err" </dev/null &
	pid=$!
	sleep 1
	qemu=$(qemu_of $pid)
	kill -$sig $pid
	wait $pid 2>/dev/null
	code=$?
	# shellcheck disable=SC2086 # a list of numbers
	expect "nothing_stays_after_SIG$sig" all "[ \$code = $((128 + $(kill -l $sig))) ]" \
		"gone $qemu"
done

PATH=/nonexistent in_vm -- true
expect no_qemu_is_one_clear_sentence all '[ $code = 3 ]' \
	'says "qemu-system-x86_64, which is not installed"' '[ "$(wc -l <"$tmp/err")" = 1 ]'
CHESS_VM_DIR=$tmp in_vm -- true
expect no_kernel_is_one_clear_sentence all '[ $code = 3 ]' 'says "make vm-kernel"' \
	'[ "$(wc -l <"$tmp/err")" = 1 ]'

# A kernel of one's own, as "make install" and "make modules_install" leave it.
release=$(cat build/kernel/generic/release)
own=$tmp/own
mkdir -p "$own/boot" "$own/lib/modules" "$tmp/image"
ln -s "$top/build/kernel/generic/vmlinux" "$own/boot/vmlinuz-$release"
cp -as "$top/build/kernel/generic/modules/lib/modules/$release" "$own/lib/modules/"
mkdir "$own/lib/modules/$release/extra"
ln -s "$(realpath "${CHESS_MODULE:-kmod/chess.ko}")" "$own/lib/modules/$release/extra/chess.ko"
"$build/chessctl" run --kernel "$own" -- uname -r >"$tmp/out" 2>"$tmp/err" </dev/null
code=$?
expect kernel_that_was_installed_elsewhere all '[ $code = 0 ]' 'same "$release"'
"$build/chessctl" run --kernel "$own" --host -- true >"$tmp/out" 2>"$tmp/err" </dev/null
code=$?
expect kernel_without_a_vm all '[ $code = 2 ]' 'says "which --host leaves out"'
cp build/kernel/generic/vmlinux "$tmp/image/"
"$build/chessctl" run --kernel "$tmp/image/vmlinux" -- true >"$tmp/out" 2>"$tmp/err" </dev/null
code=$?
expect image_without_its_module all '[ $code = 3 ]' 'says "chess.ko cannot be read"' \
	'[ "$(wc -l <"$tmp/err")" = 1 ]'
ln -s "$(realpath "${CHESS_MODULE:-kmod/chess.ko}")" "$tmp/image/chess.ko"
"$build/chessctl" run --kernel "$tmp/image/vmlinux" -- true >"$tmp/out" 2>"$tmp/err" </dev/null
code=$?
expect image_that_lacks_9p all '[ $code = 3 ]' 'says "mounting root (9p).*failed"'

echo secret >"$tmp/secret"
chmod 600 "$tmp/secret"
if [ "$(id -u)" != 0 ]; then
	result skip ordinary_user_keeps_its_rights "needs root to become somebody else"
elif ! setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$vm"; then
	result skip ordinary_user_keeps_its_rights "others cannot enter $top"
else
	# shellcheck disable=SC2016
	setpriv --reuid 65534 --regid 65534 --clear-groups "$vm" --no-module \
		--outbox "$tmp/box,1" -- sh -c "cat $tmp/secret; echo \$CHESS_VM_UID \$CHESS_VM_GID;
		echo mine >'$tmp/box,1/mine'" >"$tmp/out" 2>"$tmp/err" </dev/null
	expect ordinary_user_keeps_its_rights all 'same "65534 65534"' 'says "ermission denied"' \
		'[ "$(stat -c %u "$tmp/box,1/mine")" = 65534 ]'
fi

script -qec "stty rows 33 cols 77; $vm --no-module -- sh -c 'tty; stty size; read x; echo got \$x'" \
	/dev/null >"$tmp/out" 2>"$tmp/err" < <(sleep 2; echo typed; sleep 8)
expect terminal_is_a_terminal_inside all 'grep -q "^/dev/pts/" "$tmp/out"' \
	'grep -q "^33 77" "$tmp/out"' 'grep -q "^got typed" "$tmp/out"'

# full KB COMMAND...: with $tmp/full, a file system in which KB are left.  The room
# is taken by a file, so that names can still be made, as on most full disks.
full()
{
	# shellcheck disable=SC2016 # for the inner shell
	unshare -m sh -c 'dir=$1 kb=$2; shift 2
		mount -t tmpfs -o size=64k none "$dir" && mkdir "$dir/box" &&
		echo older >"$dir/box/old.trace" &&
		head -c $(((60 - kb) * 1024)) /dev/zero >"$dir/room" || exit 99
		"$@"
		code=$?
		ls -A "$dir/box" >"$dir.left"
		cat "$dir/box/old.trace" >>"$dir.left"
		exit $code' sh "$tmp/full" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	code=$?
}
# On a busy machine a search says how far it is.
one_sentence() { [ "$(grep -cv '^chessctl: [0-9]* runs, ' "$tmp/err")" = 1 ] && says "$1"; }
nothing_left() { [ "$(cat "$tmp/full.left")" = $'old.trace\nolder' ]; }

mkdir "$tmp/full"
abba=$top/build/selftests/programs/wrong/abba
if [ ! -f kmod/chess.ko ] || [ ! -x "$abba" ] || ! unshare -m true 2>/dev/null; then
	for name in bug_outlives_a_full_disk run_with_a_full_disk_is_one_clear_sentence \
		full_tmpdir_does_not_matter bug_outlives_a_lost_report \
		keep_going_keeps_a_trace_of_each replay_has_the_quantum_of_the_trace; do
		result skip $name "needs root, kmod/chess.ko and $abba"
	done
else
	# 4 KB take a part of the trace, which has stacks in it.
	full 4 "$build/chessctl" explore --vm --no-bpf --json --out "$tmp/full/box" -- "$abba"
	expect bug_outlives_a_full_disk all '[ $code = 1 ]' nothing_left \
		'grep -q "\"verdict\":\"deadlock\"" "$tmp/out"' \
		'grep -q "\"trace\":null" "$tmp/out"' \
		'one_sentence "the bug was found, but its trace .* No space left on device"'
	full 0 "$build/chessctl" run --vm --record "$tmp/full/box/old.trace" -- sh -c 'exit 7'
	expect run_with_a_full_disk_is_one_clear_sentence all '[ $code = 3 ]' nothing_left \
		'one_sentence "old.trace.*No space left on device.*exit status 7"'
	full 0 env TMPDIR="$tmp/full" "$build/chessctl" run --vm -- sh -c 'exit 7'
	expect full_tmpdir_does_not_matter all '[ $code = 7 ]' '[ ! -s "$tmp/err" ]'
	in_vm -- sh -c "$build/chessctl explore --host --no-bpf --out \$(mktemp -d) -- $abba >/dev/full"
	expect bug_outlives_a_lost_report all '[ $code = 1 ]' 'says "written to stdout"'
	# Each trace replays, and no two are of the same schedule: the bounded search makes
	# none twice.
	# shellcheck disable=SC2016
	in_vm -- sh -c 'cd "$(mktemp -d)" && c=$1
		$c explore --host --keep-going --points all --strategy icb --no-bpf --json \
			--out t -- "$2" >json
		code=$?
		bugs=$(sed -n "s/.*\"bugs\":\([0-9]*\).*/\1/p" json)
		[ $code = 1 ] && [ "$bugs" -gt 1 ] && [ "$(ls t | wc -l)" = "$bugs" ] || exit 10
		[ "$(grep -c "^ *\"$PWD/t/abba-deadlock-[0-9]*.trace\"" json)" = "$bugs" ] || exit 11
		[ "$(grep -h ^schedule t/*.trace | sort -u | wc -l)" = "$bugs" ] || exit 12
		for t in t/*.trace; do
			$c replay --host $t >replay || [ $? = 1 ] || exit 13
		done' sh "$build/chessctl" "$abba"
	expect keep_going_keeps_a_trace_of_each [ $code = 0 ]
	# What replay prints comes from the module: 20 ms as recorded, 30 as asked, and
	# the default of 500 when nobody ever asked.
	in_vm -- sh -c "cd \$(mktemp -d) && c=$build/chessctl &&
		\$c run --host --quantum 20 --record a -- true &&
		\$c run --host --record b -- true && for o in a '--quantum 30 a' b; do
			\$c replay --host --json \$o | sed -n 's/.*\"quantum_us\":\([0-9]*\).*/\1/p'
		done"
	expect replay_has_the_quantum_of_the_trace same $'20000\n30000\n500000'
fi

# A limit on the size of files stands for memory that is not there.
(trap '' XFSZ; ulimit -f 100; exec "$build/chessctl" run --vm -- true) \
	>"$tmp/out" 2>"$tmp/err" </dev/null
code=$?
expect image_that_cannot_be_made_is_one_clear_sentence all '[ $code = 3 ]' \
	'one_sentence "initramfs.*File too large"'

totals
