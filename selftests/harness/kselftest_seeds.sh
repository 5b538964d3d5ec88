#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Bugs put into some of the kernel's selftests, each in one case, which chessctl test must find
# there: waits that are left out, a signal without its lock, a semaphore posted too early. Also the
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

# seed FOLDER PROGRAM VERDICT CASES SED: the expression must change the source
seed()
{
	local source=$seeded/$1/$2.c

	sed -i "$5" "$source"
	cmp -s "$source" "$plain/$1/$2.c" && { echo "1|$1: $2 is as it was||sed changed nothing"; return; }
	make -k -s -C "$seeded/$1" OUTPUT="$seeded/bin/$1" KHDR_INCLUDES="-isystem $tree/usr/include" \
		"$seeded/bin/$1/$2" >>"$seeded/build.log" 2>&1
	echo "$1|$2|$3|$4" >>"$seeded/list"
}

# In the VM. Sleeps keep their order, and preemptions are few: what is found is the seed.
inside()
{
	local n=0 folder program verdict cases

	PATH=$BUILD:$PATH
	while IFS='|' read -r folder program verdict cases; do
		n=$((n + 1))
		cd "$seeded/bin/$folder" || exit 1
		timeout -s INT 200 chessctl test --host --no-bpf --out "$seeded/out/traces" --points all \
			--strategy icb --no-early --bound 1 --time 60 --cases "$cases" -- "./$program" \
			>"$seeded/out/$n" 2>&1 </dev/null
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
seed membarrier membarrier_test_multi_thread deadlock '*' \
	'/^void \*test_membarrier_thread/,/pthread_mutex_unlock/{/pthread_mutex_/d}'
# The thread says that it waits before it has the lock.
seed seccomp seccomp_bpf deadlock 'TSYNC.two_siblings_with_ancestor' \
	'/^void \*tsync_sibling/,/^}/{/sem_post(me->started);/d;s/^\tpthread_mutex_lock(me->mutex);/\tsem_post(me->started);\n&/}'
# The client does not wait for the server.
seed landlock scoped_abstract_unix_test exit 'scoped_domains.without_domain.connect_to_parent' \
	'/TEST_F(scoped_domains, connect_to_parent)/,/^}/{/Waits for the server/,/read(pipe_parent/d}'
# Neither parent waits for its child.
seed ptrace get_set_sud assert '*' \
	's/^\twaitpid(child, &status, 0);/\tsched_yield();/;s/^#include <sys\/syscall.h>/#include <sched.h>\n&/'
seed acct acct_syscall exit '*' \
	's/^\t\twait(NULL);/\t\tsched_yield();/;s/^#include <sys\/wait.h>/&\n#include <sched.h>/'

"$BUILD/chess-vm" --cpus 2 --timeout 900 --outbox "$seeded" -- \
	env BUILD="$BUILD" "$here/kselftest_seeds.sh" "$tree" inside >&2
n=0
while IFS='|' read -r folder program verdict cases; do
	n=$((n + 1))
	found=1
	grep -Eq "^ *not ok 1 .*# $verdict$" "$seeded/out/$n" && found=0
	[ "$cases" = '*' ] || grep -Fq "not ok 1 $cases # $verdict" "$seeded/out/$n" || found=1
	echo "$found|seed in $folder:$program|found as $verdict|$(grep -E '^ *(not )?ok' "$seeded/out/$n" | tr '\n' ' ')"
done <"$seeded/list"
ran=$(grep -c '^ok 1 membarrier_test_' "$seeded/out/run_tests")
echo "$((ran != 2))|make run_tests with chessctl test|$ran of 2 programs ran|"
