#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Builds the programs of kselftest.list, from the kernel's own selftests in Debian's
# linux-source-6.12, and has chessctl test search them one by one: at bound 0 each case has the
# result that it has alone, and at bound 1 none fails within the time that it has. What is printed
# is read by the kernel's kunit_parser.py, too. Runs on the host, the programs in the VM. What is
# unpacked and built lies in BUILD/kselftest.
#
# BUILD   build directory (default ../../build)
# TIME0, TIME1  seconds each case is searched at bound 0 and at bound 1 (default 6 and 4)
# LIMIT   seconds for all cases of one program at one bound (default 240)
# TOTAL   seconds for all of it (default 7200)
# AGAIN   y: answers that are there already are kept
# WRITE   y: the table goes into docs/harness.md
# Usage: kselftest.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
top=$(cd "$here/../.." && pwd) || exit 1
BUILD=${BUILD:-$top/build}
source=/usr/src/linux-source-6.12.tar.xz
work=$BUILD/kselftest
tree=$work/linux-source-6.12
list=$work/bin/kselftest-list.txt
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"

[ -r "$source" ] || skip_all "no $source; install the package linux-source-6.12"
command -v python3 >/dev/null || skip_all "no python3"
need "$BUILD/chessctl" "$BUILD/chess-vm" "$BUILD/selftests/harness/like"
cd "$top" || exit 1

# With the headers of that kernel, which Debian's linux-libc-dev is older than.
unpack()
{
	tar xf "$source" -C "$work" linux-source-6.12/{Makefile,Kbuild,Kconfig,scripts,usr,tools} \
		linux-source-6.12/{include/uapi,include/asm-generic,include/linux,arch/x86} &&
		make -s -C "$tree" ARCH=x86 headers && touch "$work/.unpacked"
}

build()
{
	local folder programs program

	: >"$list"
	while read -r folder programs; do
		case $folder in '#'*|!) continue ;; esac
		mkdir -p "$work/bin/$folder"
		make -k -s -C "$tree/tools/testing/selftests/$folder" OUTPUT="$work/bin/$folder" \
			KHDR_INCLUDES="-isystem $tree/usr/include" all >>"$work/build.log" 2>&1
		for program in $programs; do
			echo "$folder:$program" >>"$list"
			[ -x "$work/bin/$folder/$program" ] || echo "no $folder/$program" >&2
		done
	done <"$here/kselftest.list"
}

mkdir -p "$work/bin" "$work/out" || exit 1
[ -e "$work/.unpacked" ] || unpack >&2 || skip_all "$source cannot be unpacked"
build
[ -n "${AGAIN:-}" ] || rm -rf "$work"/out/*
"$BUILD/chess-vm" --cpus 2 --timeout "${TOTAL:-7200}" --outbox "$work/out" -- \
	env CHESSCTL="$BUILD/chessctl" TIME0="${TIME0:-6}" TIME1="${TIME1:-4}" LIMIT="${LIMIT:-240}" \
	"$here/kselftest_inside.sh" "$work/bin" "$work/out" >&2
"$BUILD/chess-vm" --timeout 300 -- "$BUILD/chessctl" test --host --out /tmp/t --bound 1 -- \
	"$BUILD/selftests/harness/like" >"$work/like.ktap"
BUILD=$BUILD "$here/kselftest_seeds.sh" "$tree" >"$work/rows-seeds" || skip_all "the tree cannot be copied"

for bound in 0 1; do
	"$here/kselftest_table.py" $bound "$list" "$work/out" >"$work/rows-$bound"
done
"$here/kselftest_table.py" --table "$list" "$work/out" >"$work/table.md"
if [ "${WRITE:-}" = y ]; then
	awk -v table="$work/table.md" '
		/^<!-- end of kselftest -->/ { inside = 0 }
		!inside { print }
		/^<!-- kselftest -->/ {
			inside = 1
			while ((getline row <table) > 0)
				print row
		}' docs/harness.md >"$work/harness.md" && cp "$work/harness.md" docs/harness.md
fi

echo "KTAP version 1"
echo "1..$(($(cat "$work/rows-0" "$work/rows-1" "$work/rows-seeds" | wc -l) + 1))"
for bound in 0 1; do
	while IFS='|' read -r bad name what why; do
		[ "$what" = skip ] && bad=skip
		known=$(sed -n "s/^! $name //p" "$here/kselftest.list")
		[ -z "$known" ] || [ "$bad" = 0 ] || bad=skip why=$known
		result "$bad" "bound $bound: $name is $what" "$why"
	done <"$work/rows-$bound"
done
while IFS='|' read -r bad name what why; do
	result "$bad" "$name is $what" "$why"
done <"$work/rows-seeds"
python3 - "$tree/tools/testing/kunit" "$work/like.ktap" >"$work/parsed" 2>&1 <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import kunit_parser
test = kunit_parser.parse_run_tests(open(sys.argv[2]).read().splitlines())
c = test.counts
print("parsed: %d passed, %d failed, %d skipped, %d errors" % (c.passed, c.failed, c.skipped, c.errors))
END
grep -q '^parsed: 3 passed, 4 failed, 1 skipped, 0 errors$' "$work/parsed"
result $? 'kunit_parser.py reads the results' "$(tail -n 5 "$work/parsed")"
totals
