#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the suites that every kernel has to pass on each kernel that the module supports, which
# are fetched first; the module is built for each. Called by "make check-kernels". The table
# in docs/kernels.md is written anew where all kernels were tried. Last line: "N passed, N failed".
#
#   check-kernels.sh [KERNEL...]	names of scripts/vm-kernel.sh

set -u
export LC_ALL=C
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1
all="generic rt 6.1 6.1-rt trixie trixie-rt sid sid-rt"
suites="states wrong correct determinism release attach races-exact bpf"
page=docs/kernels.md
table=build/check/kernels.md

# shellcheck disable=SC2086 # a list of words
[ $# -gt 0 ] || set -- $all
passed=0 failed=0
mkdir -p build/check
{
	echo "| kernel | ${suites// / | } |"
	echo "|---|$(printf -- '---|%.0s' $suites)"
} >"$table"
for kernel; do
	for name in $suites; do
		rm -f "build/check/$name-$kernel.sum"
	done
	# shellcheck disable=SC2086
	scripts/check-kernel.sh "$kernel" $suites | sed '$d'
	line="| $(cat "build/kernel/$kernel/release")"
	for name in $suites; do
		read -r p f _ < <(cat "build/check/$name-$kernel.sum" 2>/dev/null || echo 0 1)
		passed=$((passed + p)) failed=$((failed + f))
		if [ "$f" = 0 ]; then
			line="$line | $p"
		else
			line="$line | $p, $f failed"
		fi
	done
	echo "$line |" >>"$table"
done
cat "$table"
if [ "$*" = "$all" ]; then
	sed -e "/^<!-- check-kernels -->\$/,/^<!-- end -->\$/ {
		/^<!-- check-kernels -->\$/r $table
		/^<!--/!d
	}" "$page" >"$table.page" && cat "$table.page" >"$page"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
