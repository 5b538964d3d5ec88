#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check what a tool can check of the house style in every committed file.
# Called by "make style"; prints one line per finding, ends 1 if there is any.

set -u
cd "$(dirname "$0")/.." || exit 1
scripts/install-deps.sh --check style || exit 1
found=0

say()
{
	echo "style: $*"
	found=1
}

# Generated files follow their generator.
mapfile -t files < <(git ls-files '*.c' '*.h' '*.sh' '*Makefile' '*Kbuild' .ci scripts |
	grep -vE '(netlink-gen\.[ch]|uapi/linux/chess\.h)$' | sort -u)

for f in "${files[@]}"; do
	[ -f "$f" ] || continue
	head -n 2 "$f" | grep -q SPDX-License-Identifier || say "$f: no SPDX line at its head"
	case $f in
	*.[ch]) sed -n 2,4p "$f" | grep -q '^/\*' || say "$f: no comment at its head says what it is for" ;;
	esac
	grep -nE '[[:blank:]]+$' "$f" | sed "s|^\([0-9]*\):.*|$f:\1: blanks at the end|"
	# Strings are not broken, so that one can search for them, and a row of a table of
	# NAME|WHAT|.. stays a row.
	expand "$f" | awk -v f="$f" '
		{ text = $0; gsub(/"([^"\\]|\\.)*"/, "\"\"", text) }
		f ~ /\.sh$/ { gsub(/\047[^\047]*\047/, "\047\047", text) }
		f ~ /\.sh$/ && gsub(/[^ |]\|[^ |]/, "&", text) >= 4 { next }
		length(text) > 100 { print f ":" NR ": " length(text) " columns" }'
	grep -nE '\b(TODO|FIXME|XXX)\b' "$f" | grep -v 'grep -nE' | sed "s|^|$f:|"
done >/tmp/chess-style.$$
if [ -s /tmp/chess-style.$$ ]; then
	cat /tmp/chess-style.$$
	found=1
fi
rm -f /tmp/chess-style.$$

codespell --quiet-level=2 -L iput,mis "${files[@]}" docs README.md 2>/dev/null || found=1
mapfile -t shells < <(grep -lE '^#!/bin/(ba)?sh' "${files[@]}" 2>/dev/null)
# They source others by their path from the top.
shellcheck -x -P "$PWD" -S warning "${shells[@]}" || found=1
[ $found = 0 ] && echo "style: ${#files[@]} files, nothing to say"
exit $found
