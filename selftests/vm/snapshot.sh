#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Machines that were saved, from which others begin (cli/vm/snapshot.c): they are made once and
# used; time, random bytes and files are those of the moment and not the saved ones; what is
# broken, closed or busy only costs the time of booting; and programs have the same records
# there as in a machine that booted. Runs on the host without KVM; KTAP on stdout.
#
# PROGRAMS_OF  how many programs of wrong/ and correct/ each are recorded both ways (16)

# shellcheck disable=SC2034,SC2016 # conditions in single quotes use the variables

set -u
export LC_ALL=C
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
. selftests/ktap.sh
build=$(cd "${CHESS_BUILD:-$top/build}" && pwd) || exit 1
vm=$build/chess-vm
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export CHESS_VM_CACHE=$tmp/cache CHESS_VM_WARM=no
unset CHESS_VM_SNAPSHOT

if [ -z "$("$build/chessctl" doctor | grep 'KVM .*not usable')" ]; then
	skip_all "with KVM each VM boots"
fi

# in_vm ARGS...: sets code, leaves out and err
in_vm()
{
	"$vm" --no-module --verbose "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
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

same() { [ "$(cat "$tmp/out")" = "$1" ]; }
says() { grep -q -- "$1" "$tmp/err"; }
keys() { (cd "$tmp/cache" && ls -d ????????????????) 2>/dev/null; }
number() { keys | wc -l; }

echo "KTAP version 1"
echo "1..14"

in_vm -- echo one
expect first_machine_is_saved '[ $code = 0 ]' 'same one' 'says "was saved"' \
	'says "begins from a saved"' '[ "$(number)" = 1 ]' '[ ! -e "$tmp/cache/$(keys).lock" ]' \
	'[ "$(stat -c %a "$tmp/cache")" = 700 ]'
in_vm -- sh -c 'echo two; exit 5'
expect next_begins_there '[ $code = 5 ]' 'same two' '! says "was saved"' 'says "begins from a saved"'

# What a program gets by itself, from the C library and from the kernel.
draw='od -An -tx1 -N16 /dev/urandom; cat /proc/sys/kernel/random/uuid; mktemp -u; echo end'
in_vm -- sh -c "$draw"
cp "$tmp/out" "$tmp/first"
in_vm -- sh -c "$draw"
expect random_bytes_are_not_the_saved_ones '[ "$(wc -l <"$tmp/first")" = 4 ]' \
	'[ "$(sort "$tmp/first" "$tmp/out" | uniq -d | wc -l)" = 1 ]'

before=$(date +%s)
in_vm -- date +%s
expect clock_is_the_one_of_the_host '[ "$(cat "$tmp/out")" -ge $before ]' \
	'[ "$(cat "$tmp/out")" -le "$(date +%s)" ]'

# chess-vm keeps chessctl near, which is beside the VM's data. The change is of one byte.
mkdir -p "$tmp/data/vm"
ln -s "$build/vm/init" "$tmp/data/vm/init"
ln -s "$build/kernel" "$tmp/data/kernel"
echo old >"$tmp/data/chessctl"
CHESS_VM_DIR=$tmp/data in_vm -- cat "$tmp/data/chessctl"
expect file_that_is_near_is_read 'same old' 'says "begins from a saved"'
echo new >"$tmp/data/chessctl"
CHESS_VM_DIR=$tmp/data in_vm -- cat "$tmp/data/chessctl" /etc/hostname
expect file_that_changed_is_read_again '[ "$(head -n 1 "$tmp/out")" = new ]' \
	'! says "was saved"' 'says "begins from a saved"'
rm "$tmp/data/chessctl"
CHESS_VM_DIR=$tmp/data in_vm -- ls "$tmp/data"
expect file_that_is_gone_is_gone '[ "$(xargs <"$tmp/out")" = "kernel vm" ]'

for mem in 256 320 384; do
	in_vm --mem $mem -- true
done
expect three_are_kept '[ $code = 0 ]' '[ "$(number)" = 3 ]'

rm -rf "$tmp/cache"
in_vm -- true
key=$(keys)
head -c 400000 /dev/zero >"$tmp/cache/$key/state"
in_vm -- echo booted
expect broken_one_is_removed_and_the_vm_boots '[ $code = 0 ]' 'same booted' 'says "of no use"' \
	'[ "$(number)" = 0 ]'

# As if another were making it.
flock "$tmp/cache/$key.lock" "$vm" --no-module --verbose -- echo beside >"$tmp/out" 2>"$tmp/err"
code=$?
expect others_boot_while_it_is_made '[ $code = 0 ]' 'same beside' '! says "saved"' '[ "$(number)" = 0 ]'

chmod 755 "$tmp/cache"
in_vm -- echo open
expect cache_that_is_open_to_others_is_not_used 'same open' '! says "saved"' '[ "$(number)" = 0 ]'
chmod 700 "$tmp/cache"
CHESS_VM_SNAPSHOT=no in_vm -- echo no
expect it_can_be_switched_off 'same no' '! says "saved"' '[ "$(number)" = 0 ]'

# A device that is there and is of no use, in a /dev of our own.
broken_kvm()
{
	[ "$(id -u)" = 0 ] || { result skip kvm_that_is_broken_is_not_used "only root may make one"; return; }
	mkdir "$tmp/dev"
	unshare -m bash -c 'mount -t tmpfs none "$1/dev" &&
		cp -a /dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty "$1/dev" &&
		ln -s /proc/self/fd "$1/dev/fd" && mkdir "$1/dev/shm" "$1/dev/pts" &&
		mknod "$1/dev/kvm" c 1 3 && mount --bind "$1/dev" /dev &&
		"$2/chessctl" doctor >"$1/doctor"; "$2/chess-vm" --no-module -- echo translated' \
		sh "$tmp" "$build" >"$tmp/out" 2>"$tmp/err" </dev/null
	code=$?
	expect kvm_that_is_broken_is_not_used '[ $code = 0 ]' 'same translated' \
		'grep -q "KVM .*not usable.*creates no machine" "$tmp/doctor"'
}
broken_kvm

# The same programs in both kinds of machine, each record in the words of show --json.
mapfile -t programs < <(for kind in wrong correct; do
	find "$build/selftests/programs/$kind" -maxdepth 1 -type f -perm -1 | sort |
		head -n "${PROGRAMS_OF:-16}"
done)
cat >"$tmp/record" <<'SCRIPT'
out=$1
shift
for program; do
	timeout 60 build/chessctl run --host --record "$out/$(basename "$(dirname "$program")")-${program##*/}.trace" \
		-- "$program" >/dev/null 2>&1 </dev/null
done
ls "$out" | wc -l
SCRIPT
for kind in yes no; do
	mkdir "$tmp/$kind"
	CHESS_VM_SNAPSHOT=$kind "$vm" --timeout 900 --outbox "$tmp/$kind" -- \
		bash "$tmp/record" "$tmp/$kind" "${programs[@]}" >"$tmp/out" 2>"$tmp/err" </dev/null
	for trace in "$tmp/$kind"/*.trace; do
		"$build/chessctl" show --format json "$trace" |
			sed "s|$tmp/$kind||g" >"${trace%.trace}.json"
	done
done
expect records_are_the_same 'same "${#programs[@]}"' \
	'[ "$(find "$tmp/yes" -name "*.json" -size +1k | wc -l)" = "${#programs[@]}" ]' \
	'diff -rq -x "*.trace" "$tmp/yes" "$tmp/no" >>"$tmp/err"'

totals
