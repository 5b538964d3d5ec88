#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# chessctl --private-tmp, --overlay, --no-network and --host-pids: surroundings.c finds
# the same in each run, a search and a replay have it too, and nothing stays behind.
# Without the options it does, or the test would prove nothing. Run inside the VM, as
# root, with the module loaded.
#
# BUILD  build directory (default build)
# COUNT  runs (default 5)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
COUNT=${COUNT:-5}
chessctl=$BUILD/chessctl
program=$BUILD/selftests/inputs/surroundings

if [ ! -x "$chessctl" ] || [ ! -x "$program" ]; then
	skip_all "no $program; run make tests"
fi

out=$(mktemp -d "$PWD/surroundings.XXXXXX") || exit 1
trap 'kill %1 2>/dev/null; rm -rf "$out"' EXIT
mkdir "$out/dir" && cd "$out/dir" || exit 1
# In the folder, and somebody has a port and an abstract socket.
cp "$program" program
printf 'four' >kept
python3 -c 'import socket, sys, time
a = socket.socket(); a.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
a.bind(("127.0.0.1", 7007)); a.listen()
b = socket.socket(socket.AF_UNIX); b.bind("\0chess-surroundings"); b.listen()
print("ready", flush=True); time.sleep(3600)' >"$out/ready" &
until [ -s "$out/ready" ]; do
	kill -0 %1 2>/dev/null || exit 1
	sleep 0.1
done

ktap_output=$out/got
all='--private-tmp --overlay --no-network'
# What each run prints; the words before kept are for the shell
own="tmp 0 files, no mark
segment now
private segment 1
queue now
shared memory now
kept 5 bytes
made now
device lo
port free
socket of others not seen
pid 2"
clean()
{
	[ "$(cat kept)" = four ] && [ ! -e made ] && [ ! -e /tmp/surroundings.mark ]
}
# own_lines N: $out/got has N times what a run on its own prints
own_lines()
{
	local i

	for i in $(seq "$1"); do echo "$own"; done | cmp -s - "$out/got"
}

echo "KTAP version 1"
echo "1..18"

: >"$out/got"
for ((i = 0; i < COUNT; i++)); do
	# shellcheck disable=SC2086 # a list of options
	"$chessctl" run --host $all -- ./program >>"$out/got" 2>&1 || echo "exit $?" >>"$out/got"
done
own_lines "$COUNT"
result $? "${COUNT}_runs_find_the_same"
clean
result $? nothing_of_them_stays

# A search runs dozens; what one of them finds is what all do, or they diverge.
# shellcheck disable=SC2086
"$chessctl" explore --host --json $all --out "$out/traces" -- ./program >"$out/got" 2>&1 &&
	[ "$(sed -n 's/.*"runs":\([0-9]*\).*/\1/p' "$out/got" | head -n 1)" -gt 2 ] &&
	grep -q '"diverged":0' "$out/got"
result $? search_is_complete_and_none_diverged
tr -d ' \n' <"$out/got" | grep -q '"surroundings":\["private-tmp","overlay","no-network"\]'
result $? json_names_the_surroundings
clean
result $? nothing_of_the_search_stays

# shellcheck disable=SC2086
"$chessctl" explore --host $all --out "$out/traces" -- ./program --fail >"$out/got" 2>&1
[ $? = 1 ] && grep -qx 'surroundings private-tmp,overlay,no-network' "$out"/traces/*.trace
result $? trace_has_the_surroundings
"$chessctl" replay --host --times 5 --json "$out"/traces/*.trace >"$out/got" 2>&1
[ $? = 1 ] && grep -q '"identical":5' "$out/got" &&
	tr -d ' \n' <"$out/got" | grep -q '"surroundings":\["private-tmp","overlay","no-network"\]'
result $? replay_gives_them_again
clean
result $? nothing_of_replays_stays

# One at a time: the others are the system's.
shm=/dev/shm/chess-surroundings
{
	"$chessctl" run --host --private-tmp -- ./program
	rm -f made && printf 'four' >kept
	"$chessctl" run --host --no-network -- ./program
	rm -f $shm made /tmp/surroundings.mark && printf 'four' >kept
	"$chessctl" run --host --overlay -- ./program
	rm -f $shm /tmp/surroundings.mark
} >"$out/got" 2>&1
[ "$(grep -c '^tmp 0 files, no mark' "$out/got")$(grep -c '^port free' "$out/got")" = 11 ] &&
	[ "$(grep -c '^segment now\|^private segment 1\|^queue now' "$out/got")" = 9 ] && clean
result $? each_option_is_one_thing

# The second run finds what the first one left, and another pid.
{
	"$chessctl" run --host --host-pids -- ./program
	"$chessctl" run --host --host-pids -- ./program
} >"$out/got" 2>&1
[ "$(grep -c '^made before' "$out/got")$(grep -c '^kept 6' "$out/got")" = 11 ] &&
	[ "$(grep -c 'with a mark' "$out/got")$(grep -c '^port taken' "$out/got")" = 12 ] &&
	[ "$(grep -c '^segment before\|^queue before\|^shared memory before' "$out/got")" = 3 ] &&
	[ "$(grep -c '^socket of others seen' "$out/got")" = 2 ] &&
	[ "$(grep '^pid' "$out/got" | sort -u | wc -l)" = 2 ]
result $? without_them_runs_share
ipcrm -M 0x63686573
rm -f $shm made /tmp/surroundings.mark

# The file is there before, so that the overlay copies it when it is opened for writing.
printf 'a' >below
"$chessctl" explore --host --overlay --out "$out/traces" -- "$BUILD/selftests/inputs/mapped_below" \
	>"$out/got" 2>&1
[ $? = 1 ] && grep -q '^assert:' "$out/got" && grep -q 'pwrite64' "$out/got" && [ "$(cat below)" = a ]
result $? file_of_an_overlay_is_its_mapping

# The directory has the same name in each run. The tree may be in /tmp itself.
cp "$BUILD/selftests/inputs/left_in_tmp" .
"$chessctl" explore --host --out "$out/left" -- ./left_in_tmp >"$out/got" 2>&1
[ $? = 1 ] && grep -q 'runs have an empty /tmp from here on' "$out/got" &&
	! grep -q 'did not repeat' "$out/got" && grep -qx 'surroundings private-tmp' "$out"/left/*.trace
result $? what_a_failing_run_leaves_is_not_in_the_way
rm -rf /tmp/left-*
"$chessctl" replay --host --times 5 --json "$out"/left/*.trace >"$out/got" 2>&1
[ $? = 1 ] && grep -q '"identical":5' "$out/got" && [ -z "$(compgen -G '/tmp/left-*')" ]
result $? nor_in_that_of_replays
# One that leaves it always: the first run tells.
left="the first run left files in /tmp or /dev/shm: each run has these empty from here on"
"$chessctl" explore --host --out "$out/always" -- ./left_in_tmp always >"$out/got" 2>&1 </dev/null
[ $? = 1 ] && grep -q "$left" "$out/got" && grep -q '^assert:' "$out/got" &&
	! grep -q 'did not repeat' "$out/got" &&
	grep -qx 'surroundings private-tmp' "$out"/always/*.trace &&
	"$chessctl" replay --host --times 5 --json "$out"/always/*.trace | grep -q '"identical":5'
result $? what_each_run_leaves_is_not_in_the_way
"$chessctl" explore --host --jobs 2 --out "$out/jobs" -- ./left_in_tmp right >"$out/got" 2>&1
[ $? = 0 ] && grep -q "$left" "$out/got" && grep -q '^ok: ' "$out/got"
result $? nor_in_that_of_workers
"$chessctl" explore --host --runs 8 --out "$out/more" -- ./left_in_tmp right >"$out/got" 2>&1
"$chessctl" explore --host --runs 1000 --continue "$out/more" >>"$out/got" 2>&1
[ $? = 0 ] && [ "$(grep -c "$left" "$out/got")" = 2 ] && grep -q '^ok: ' "$out/got"
result $? nor_in_that_of_a_search_that_is_continued
rm -rf /tmp/left-*
# What other processes put there meanwhile is not the program's.
others=$(mktemp -d)
while :; do mktemp -p /tmp other.XXXXXX; done >"$others/names" 2>&1 &
"$chessctl" explore --host --runs 5 --out "$out/others" -- \
	"$BUILD/selftests/programs/correct/mutex_twice" >"$out/got" 2>&1
code=$?
kill %% && { wait %%; } 2>/dev/null
[ $code = 4 ] && [ -s "$others/names" ] && ! grep -q "$left" "$out/got"
result $? what_others_leave_is_not_the_programs
find /tmp -maxdepth 1 -name 'other.??????' -delete
rm -rf "$others"

# What an ordinary user may not have is said in one sentence.
chmod 755 "$out" "$out/dir"
echo 1 >/sys/module/chess/parameters/unprivileged
setpriv --reuid 65534 --regid 65534 --clear-groups \
	"$chessctl" run --host --overlay -- ./program >"$out/got" 2>&1
[ $? = 3 ] && grep -q 'needs CAP_SYS_ADMIN' "$out/got"
result $? rights_that_are_missing_are_named

totals
