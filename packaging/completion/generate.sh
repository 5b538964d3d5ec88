#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Writes the completion of chessctl's commands and options for a shell, from what the built
# chessctl prints as help, so that no option can be missing. Called by cli/Makefile.
#
#   generate.sh CHESSCTL bash|zsh

set -u
export LC_ALL=C
chessctl=$1
shell=$2
here=$(cd "$(dirname "$0")" && pwd)

commands=$("$chessctl" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\)  *\(.*\)$/\1/p')
[ -n "$commands" ] || {
	echo "generate: '$chessctl help' lists no commands" >&2
	exit 1
}

# "C command what it does", "A command its arguments", "O command option argument text", of all
# commands; a blank between the fields is a tab
table()
{
	local command text

	"$chessctl" help |
		sed -n '/^commands:/,/^$/s/^  \([a-z]*\)  *\(.*\)$/C\t\1\t\2/p'
	for command in $commands; do
		text=$("$chessctl" "$command" --help)
		grep -q -- '--help=all' <<<"$text" && text=$("$chessctl" "$command" --help=all)
		sed -n "s/^usage: chessctl $command *\(\[OPTION...\]\)* */A\t$command\t/p" <<<"$text"
		# An argument follows after one blank, the text after two; "[=SEED]" may be left out,
		# "=all" is part of the option.
		sed -nE "s/^  (--[a-z-]+(=[a-z]+)?)(( |\[=)[^ ]+)?(  +(.*))?$/O\t$command\t\1\t\3\t\6/p" \
			<<<"$text"
	done
}

table | awk -F '\t' -f "$here/values.awk" -f "$here/$shell.awk"
