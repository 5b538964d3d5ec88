#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Names in include/chess.bpf.h, which repeats some of <linux/chess_record.h>, have the
# same values there. Run by run.sh with CHESS_BUILD set; output is KTAP.

top=${CHESS_TREE:-$(cd "$(dirname "$0")/../.." && pwd)}
export LC_ALL=C
cd "$top" || exit 1
. selftests/ktap.sh
work=$(mktemp -d) || exit 1
ktap_output=$work/log
trap 'rm -rf "$work"' EXIT

names=$(grep -oE '\bCHESS_OPF?_[A-Z0-9_]+' "$top/include/chess.bpf.h" | sort -u)

# values NAME HEADER...: one line for each constant
values()
{
	local name=$1 header

	shift
	{
		echo '#include <stdio.h>'
		echo '#include <linux/types.h>'
		echo '#define __ksym'
		for header; do echo "#include \"$header\""; done
		echo 'int main(void) {'
		for header in $names; do echo "printf(\"$header %d\\n\", $header);"; done
		echo 'return 0; }'
	} >"$work/$name.c"
	${CC:-gcc} -I"$top/include" -I"$top/include/uapi" -o "$work/$name" "$work/$name.c" &&
		"$work/$name" >"$work/$name.txt"
}

echo "KTAP version 1"
echo "1..3"
{
	values bpf chess.bpf.h && values record linux/chess_record.h &&
		diff "$work/bpf.txt" "$work/record.txt"
} >"$work/log" 2>&1
result $? "both headers give the same values"
grep -oE '^	CHESS_OP_[A-Z_]+' "$top/include/uapi/linux/chess_record.h" |
	diff - <(grep -oE '^	CHESS_OP_[A-Z_]+' "$top/include/chess.bpf.h") >"$work/log"
result $? "no op class is missing"
values both linux/chess_record.h chess.bpf.h >"$work/log" 2>&1
result $? "both can be included"
totals
