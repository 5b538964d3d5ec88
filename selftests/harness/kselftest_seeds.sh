#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Bugs put into some of the kernel's selftests, each in one case, which chessctl test must find
# there: a wait that is left out, a signal without its lock, a semaphore posted too early, sleeps in
# the place of waits. Without control each passes most of the time, as such bugs do. Also the
# kernel's own "make run_tests" with chessctl test in the place of its runner. Called by
# kselftest.sh, which has unpacked the tree, and by itself in the VM. Builds in
# TREE/tools/testing/seeded.
#
# BUILD  build directory
# Usage: kselftest_seeds.sh TREE [inside]; rows of results for kselftest.sh: failed|name|what|why

tree=$1
here=$(cd "$(dirname "$0")" && pwd) || exit 1
plain=$tree/tools/testing/selftests
seeded=$tree/tools/testing/seeded

# seed FOLDER PROGRAM VERDICT CASES EARLY SED: the expression must change the source; EARLY is the
# option that says which deadlines pass early
seed()
{
	local source=$seeded/$1/$2.c

	sed -i "$6" "$source"
	cmp -s "$source" "$plain/$1/$2.c" && { echo "1|$1: $2 is as it was||sed changed nothing"; return; }
	make -k -s -C "$seeded/$1" OUTPUT="$seeded/bin/$1" KHDR_INCLUDES="-isystem $tree/usr/include" \
		"$seeded/bin/$1/$2" >>"$seeded/build.log" 2>&1
	echo "$1|$2|$3|$4|$5" >>"$seeded/list"
}

# In the VM. Preemptions are few, and time limits do not pass: what is found is the seed.
inside()
{
	local n=0 i passed folder program verdict cases early

	PATH=$BUILD:$PATH
	while IFS='|' read -r folder program verdict cases early; do
		n=$((n + 1))
		cd "$seeded/bin/$folder" || exit 1
		timeout -s INT 200 chessctl test --host --no-bpf --out "$seeded/out/traces" --points all \
			--strategy icb "$early" --bound 1 --time 60 --cases "$cases" -- "./$program" \
			>"$seeded/out/$n" 2>&1 </dev/null
		passed=0
		for ((i = 0; i < ALONE; i++)); do
			if [ "$cases" = '*' ]; then
				timeout 20 "./$program"
			else
				timeout 20 "./$program" -r "$cases"
			fi >/dev/null 2>&1 </dev/null && passed=$((passed + 1))
		done
		echo $passed >"$seeded/out/$n.alone"
	done <"$seeded/list"
	make -s -C "$plain" TARGETS=membarrier OUTPUT="$seeded/plain" \
		KHDR_INCLUDES="-isystem $tree/usr/include" run_tests \
		RUN_TESTS='for t in $(1); do chessctl test --host --no-bpf --bound 0 -- $$t; done' \
		>"$seeded/out/run_tests" 2>&1
}

if [ "$2" = inside ]; then
	inside
	exit
fi
rm -rf "$seeded"
cp -a "$plain" "$seeded" && mkdir -p "$seeded/out" || exit 1
for folder in membarrier seccomp landlock ptrace acct; do
	mkdir -p "$seeded/bin/$folder"
done
# The flag is set and announced without the lock.
seed membarrier membarrier_test_multi_thread deadlock '*' --no-early \
	'/^void \*test_membarrier_thread/,/pthread_mutex_unlock/{/pthread_mutex_/d}'
# The thread says that it waits before it has the lock.
seed seccomp seccomp_bpf deadlock 'TSYNC.two_siblings_with_ancestor' --no-early \
	'/^void \*tsync_sibling/,/^}/{/sem_post(me->started);/d;s/^\tpthread_mutex_lock(me->mutex);/\tsem_post(me->started);\n&/}'
# The client does not wait for the server.
seed landlock scoped_abstract_unix_test exit 'scoped_domains.without_domain.connect_to_parent' --no-early \
	'/TEST_F(scoped_domains, connect_to_parent)/,/^}/{/Waits for the server/,/read(pipe_parent/d}'
# Each parent gives its child half a second instead of waiting for it.
seed ptrace get_set_sud assert '*' --early-max=1 's/^\twaitpid(child, &status, 0);/\tusleep(500000);/'
seed acct acct_syscall exit '*' --early-max=1 's/^\t\twait(NULL);/\t\tusleep(500000);/'

"$BUILD/chess-vm" --cpus 2 --timeout 900 --outbox "$seeded" -- \
	env BUILD="$BUILD" ALONE=20 "$here/kselftest_seeds.sh" "$tree" inside >&2
n=0
while IFS='|' read -r folder program verdict cases early; do
	n=$((n + 1))
	found=1
	grep -Eq "^ *not ok 1 .*# $verdict$" "$seeded/out/$n" && found=0
	[ "$cases" = '*' ] || grep -Fq "not ok 1 $cases # $verdict" "$seeded/out/$n" || found=1
	echo "$found|seed in $folder:$program|found as $verdict|$(grep -E '^ *(not )?ok' "$seeded/out/$n" | tr '\n' ' ')"
	passed=$(cat "$seeded/out/$n.alone")
	echo "$((${passed:-0} <= 10))|seed in $folder:$program without control|passing in ${passed:-0} of 20 runs|"
done <"$seeded/list"
ran=$(grep -c '^ok 1 membarrier_test_' "$seeded/out/run_tests")
echo "$((ran != 2))|make run_tests with chessctl test|$ran of 2 programs ran|"
