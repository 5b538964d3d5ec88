#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Proves that the terminal sessions in the documents are real: runs every block
# fenced with ```console and compares what comes out with what the block says.
# Run inside the VM as root with the module loaded (selftests/vm-suites).
#
# In a block, lines that begin with "$ " are commands of one bash session, the
# others their output on stdout. "..." alone stands for any lines.
# Numbers that differ from run to run are made equal on both sides: seconds,
# runs per second, the kernel's release. A block ends with "$ echo $?" where the
# exit code matters. Blocks of other kinds are not run.
#
# Usage: docs.sh [FILE...]; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C NO_COLOR=1
top=$(cd "$(dirname "$0")/.." && pwd)
build=${BUILD:-$top/build}

cd "$top" || exit 1
. selftests/ktap.sh
[ -x "$build/chessctl" ] || skip_all "no chessctl in $build"
[ $# -gt 0 ] || set -- README.md docs/*.md
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# One file per block: NNN-FILE-LINE.
awk -v tmp="$tmp" '
	/^```console$/ { n++; name = FILENAME; gsub("/", "_", name)
			 file = sprintf("%s/%03d-%s-%d.block", tmp, n, name, FNR); next }
	/^```$/ { file = "" }
	file { print > file }
' "$@"

same()
{
	sed -E 's/[0-9]+\.[0-9]+ s\b/N s/; s/\b[0-9]+ runs\/s/N runs\/s/
		s/kernel [0-9]+\.[0-9]+[^ ]*/kernel RELEASE/; s/[[:space:]]+$//'
}

# matches EXPECTED SEEN: line by line; "..." matches any number of lines
matches()
{
	awk '
	function match_from(i, j) {
		while (i <= n) {
			if (want[i] == "...") {
				for (; j <= m + 1; j++)
					if (match_from(i + 1, j))
						return 1
				return 0
			}
			if (j > m || want[i++] != seen[j++])
				return 0
		}
		return j == m + 1
	}
	NR == FNR { want[++n] = $0; next }
	{ seen[++m] = $0 }
	END { exit !match_from(1, 1) }' "$1" "$2"
}

blocks=("$tmp"/*.block)
[ -f "${blocks[0]}" ] || {
	printf 'KTAP version 1\n1..1\nnot ok 1 there are sessions in the documents\n'
	exit 1
}
printf 'KTAP version 1\n1..%d\n' "${#blocks[@]}"
for block in "${blocks[@]}"; do
	name=$(basename "$block" .block)
	# A folder of its own, so that traces are numbered from 1.
	folder=$tmp/$((n + 1))
	mkdir "$folder" && ln -s "$build" "$folder/build"
	{
		echo "cd $folder"
		# The command is shown first, as a terminal does; $? stays what it was.
		sed -n 's/^\$ //p' "$block" | while IFS= read -r line; do
			printf 'code=$?; printf "%%s\\n" %q; (exit $code)\n%s\n' "\$ $line" "$line"
		done
	} >"$tmp/session"
	timeout -k 5 300 bash "$tmp/session" >"$tmp/out" 2>"$tmp/err" </dev/null
	code=$?
	same <"$block" >"$tmp/want"
	same <"$tmp/out" >"$tmp/seen"
	[ $code -lt 124 ] && matches "$tmp/want" "$tmp/seen"
	good=$?
	if [ $good != 0 ]; then
		diff -u "$tmp/want" "$tmp/seen" | sed 's/^/# /'
		sed 's/^/# stderr: /' "$tmp/err"
	fi
	result $good "session $name"
done
totals
