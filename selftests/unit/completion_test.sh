#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The completions for bash and zsh have every command and every option that the help has, and
# no other. That of bash is sourced and called as the shell does; zsh's is checked by zsh -n
# where there is a zsh, and searched as a text. Run by run.sh with CHESS_BUILD set; output is
# KTAP.

top=${CHESS_TREE:-$(cd "$(dirname "$0")/../.." && pwd)}
build=$(cd "${CHESS_BUILD:-$top/build}" && pwd) || exit 1
export LC_ALL=C
cd "$top" || exit 1
. selftests/ktap.sh
work=$(mktemp -d) || exit 1
ktap_output=$work/log
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir one-dir && touch one.trace two.trace

chessctl=$build/chessctl
zsh_file=$build/completion/chessctl.zsh
. "$build/completion/chessctl.bash"

# From the help's own words, by another way than generate.sh.
commands=$("$chessctl" help | awk '/^commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }')

# options_of COMMAND: from the lines of the help that begin with one
options_of()
{
	{ "$chessctl" "$1" --help=all 2>/dev/null || "$chessctl" "$1" --help; } |
		awk '$1 ~ /^--/ { sub(/\[.*/, "", $1); print $1 }' | sort -u
}

# completed WORD...: what bash is offered when the last one is to be completed
completed()
{
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	COMPREPLY=()
	_chessctl
	printf '%s\n' "${COMPREPLY[@]}"
}

# same A B: two lists of words, whatever their order
same()
{
	diff <(tr ' ' '\n' <<<"$1" | sort -u) <(tr ' ' '\n' <<<"$2" | sort -u)
}

bash_has_the_commands()
{
	same "$commands help --help --version" "$(completed chessctl '')"
}

bash_has_the_options()
{
	local command

	for command in $commands; do
		[ -n "$(options_of "$command")" ] &&
			same "$(options_of "$command")" "$(completed chessctl "$command" --)" || return
	done
}

zsh_has_the_commands()
{
	same "$commands help" "$(sed -n "/commands=(/,/)/s/^\t*'\([a-z]*\):.*/\1/p" "$zsh_file")"
}

# The options in the branch of a command.
zsh_options_of()
{
	sed -n "/^\t$1)\$/,/;;/p" "$zsh_file" |
		sed -n "s/^\t*'\(--[a-z-]*\(\\\\=[a-z]*\)\{0,1\}\)[=[].*/\1/p" | tr -d '\\' | sort -u
}

zsh_has_the_options()
{
	local command

	for command in $commands; do
		same "$(options_of "$command")" "$(zsh_options_of "$command")" || return
	done
}

# Each word that an option takes, and that generate.sh does not read in the help, is there.
words_are_in_the_help()
{
	local command option words word line

	while read -r command option words; do
		line=$("$chessctl" "$command" --help=all | grep -F -- "  $option ")
		for word in $words; do
			grep -qw -- "$word" <<<"$line" && continue
			[ "$option" = --points ] && continue
			echo "chessctl $command $option: the help does not have '$word'"
			return 1
		done
	done < <(sed -n 's/^\t"\([a-z]*\) \(--[a-z-]*\)") .* words="\(..*\)" ;;$/\1 \2 \3/p' \
		"$build/completion/chessctl.bash")
}

# chessctl says what --strategy takes when it is given something else.
strategies_are_chessctls()
{
	same "$("$chessctl" explore --strategy none -- /bin/true 2>&1 |
		grep -oE '(icb|dfs|random|pct|pos|surw|delay|rr|hold|maple|rff|auto|prelude|turns)' | sort -u)" \
		"$(completed chessctl explore --strategy '')"
}

values_follow_their_options()
{
	same "fifo" "$(completed chessctl explore --wake f)" &&
		same "late" "$(completed chessctl explore --watchdogs = l)" &&
		same "one-dir" "$(completed chessctl explore --out one)" &&
		same "" "$(completed chessctl explore --bound '')" &&
		same "--observe" "$(completed chessctl attach --o | grep -x -- --observe)"
}

arguments_are_completed()
{
	same "one-dir one.trace" "$(completed chessctl show one)" &&
		same "$$" "$(completed chessctl attach $$)" &&
		same "two.trace" "$(completed chessctl explore -- ./x two)" &&
		completed chessctl explore -- ba | grep -qx bash
}

zsh_accepts_it()
{
	zsh -n "$zsh_file"
}

echo "KTAP version 1"
cases=(bash_has_the_commands bash_has_the_options zsh_has_the_commands zsh_has_the_options
	words_are_in_the_help strategies_are_chessctls values_follow_their_options
	arguments_are_completed zsh_accepts_it)
echo "1..${#cases[@]}"
for name in "${cases[@]}"; do
	if [ "$name" = zsh_accepts_it ] && ! command -v zsh >/dev/null; then
		result skip $name "zsh is not installed"
		continue
	fi
	"$name" >"$work/log" 2>&1
	result $? "$name"
done
totals
