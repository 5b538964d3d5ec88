#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# tests-of.sh FILE.c: prints the tests of a source file. First the units: the one of its name,
# those that compile it, include its header or call a function that it defines. Then the lines of
# selftests/README.md about its directory, which name the suites. Called by "make tests-of".

cd "$(dirname "$0")/.." || exit 1
file=$1
if [ ! -f "$file" ]; then
	echo "tests-of: there is no file '$file'; give a source file: make tests-of FILE=kmod/fair.c" >&2
	exit 2
fi
name=$(basename "${file%.*}")

{
	ls "selftests/unit/${name}_test.c" "selftests/unit/${name}_test.sh" 2>/dev/null
	# A unit that compiles it, by its own makefile variable.
	awk -v file="/${file#*/}" '/^[a-z_]+_test_SRCS/ { unit = $1; sub(/_SRCS$/, "", unit) }
		index($0, file) && unit { print "selftests/unit/" unit ".c" }
		!/\\$/ { unit = "" }' selftests/Makefile
	header=${file#libchessctl/}
	grep -lE "#include \"(.*/)?${header%.*}\.[ch]\"" selftests/unit/*.c selftests/simulator/*.c
	# Functions that it defines, by name at the start of a line; not the static ones.
	sed -nE '/^static/!s/^[a-z][a-z_0-9 *]*[ *](chess_[a-z_0-9]+)\(.*/\1/p' "$file" |
		sort -u | while read -r function; do
		grep -lw "$function" selftests/unit/*.c selftests/simulator/*_test.c
	done
} 2>/dev/null | sort -u
dir=$(dirname "$file")
grep -F -e "\`$file\`" -e "\`$dir/\`" selftests/README.md
exit 0
