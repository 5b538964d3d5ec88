#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# "make -C selftests gen_tar" makes a tree that run_kselftest.sh takes: the list and what is in
# it, settings and config, programs that run elsewhere. On the host, with the units built.
#
# BUILD   build directory (default ../../build)
# SOURCE  tools/testing/selftests of a kernel, whose run_kselftest.sh is tried too; by default
#         what the suite harness-kselftest has unpacked, if it was run
# Usage: tree.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
top=$(cd "$here/../.." && pwd) || exit 1
BUILD=${BUILD:-$top/build}
SOURCE=${SOURCE:-$BUILD/kselftest/linux-source-6.12/tools/testing/selftests}
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"
own_folder tree

echo "KTAP version 1"
echo "1..6"
mkdir "$out/install" "$out/away"
echo "other:test" >"$out/install/kselftest-list.txt"
for time in first second; do
	make -s --no-print-directory -C "$top/selftests" BUILD="$BUILD" \
		KSFT_INSTALL_PATH="$out/install" gen_tar >"$out/said" 2>&1
	result $? "gen_tar, the $time time"
done
tar xf "$out/install/kselftest-packages/kselftest.tar.gz" -C "$out/away"
cd "$out/away" || exit 1
bad=0
while IFS=: read -r collection test; do
	[ "$collection:$test" = other:test ] || [ -x "$collection/$test" ] ||
		{ bad=1; echo "$collection:$test is not there" >>"$out/said"; }
done <kselftest-list.txt
[ "$(sort kselftest-list.txt | uniq -d | wc -l)" = 0 ] || bad=1
[ "$(grep -c '^chess:' kselftest-list.txt)" = "$(find chess -name '*_test' | wc -l)" ] || bad=1
grep -q '^other:test$' kselftest-list.txt || bad=1
result $bad 'the list names what is there, once, and keeps what others put into it'
cmp "$top/selftests/settings" chess/settings && cmp "$top/selftests/config" chess/config
result $? 'settings and config are there'
mv "$out/install" "$out/gone"
chess/schedule_test >"$out/said" 2>&1
result $? 'a program of it runs elsewhere'
if [ -x "$SOURCE/run_kselftest.sh" ]; then
	cp -r "$SOURCE/kselftest" "$SOURCE/run_kselftest.sh" .
	./run_kselftest.sh -t chess:schedule_test -t chess:hb_test >"$out/said" 2>&1
	[ "$(grep -cE '^ok [12] selftests: chess: (schedule|hb)_test' "$out/said")" = 2 ]
	result $? 'run_kselftest.sh takes it'
else
	result skip 'run_kselftest.sh takes it' "no $SOURCE"
fi
totals
