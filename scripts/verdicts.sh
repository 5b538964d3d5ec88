#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The section VERDICTS of docs/man/chessctl.1 follows from the rows of CHESS_VERDICTS
# (libchessctl/include/chessctl/verdict.h). --write writes it; without an argument the two
# are compared, which the unit docs_test.sh does.

set -eu
cd "$(dirname "$0")/.."
header=libchessctl/include/chessctl/verdict.h
page=docs/man/chessctl.1

# A row is ROW(NAME, "word", bug, "text"), on one line or on two.
section()
{
	local rows

	rows=$(sed -n '/^#define CHESS_VERDICTS/,/[^\\]$/p' "$header" | tr -d '\n' |
		sed 's/ROW(/\n&/g' |
		sed -n 's/^ROW([A-Z]*, "\([a-z]*\)", [a-z]*,[^"]*"\(.*\)").*/.TP\n.B \1\n\2/p')
	echo "$rows" | sed '/^\./!s/-/\\-/g; /^\./!s/\. /.\n/g'
}

expected=$(mktemp)
trap 'rm -f "$expected"' EXIT
{
	sed '/^\.SH VERDICTS$/q' "$page"
	section
	sed '1,/^\.SH VERDICTS$/d' "$page" | sed -n '/^\.PP$/,$p'
} >"$expected"

if [ "${1:-}" = --write ]; then
	cat "$expected" >"$page"
elif ! diff -u "$page" "$expected"; then
	echo "$0: $page is not what $header says; run scripts/verdicts.sh --write" >&2
	exit 1
fi
