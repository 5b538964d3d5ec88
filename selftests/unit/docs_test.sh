#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Proves that the documents are true where a program can tell: files, links,
# make targets, commands, options, constants, errno values and kernel symbols
# they name exist, and what exists is described. Run by run.sh with CHESS_BUILD
# set; output is KTAP. selftests/docs.sh runs the sessions they show.

top=${CHESS_TREE:-$(cd "$(dirname "$0")/../.." && pwd)}
build=$(cd "${CHESS_BUILD:-$top/build}" && pwd) || exit 1
cd "$top" || exit 1
export LC_ALL=C
chessctl=$build/chessctl
docs=(README.md docs/*.md)
pages=(docs/man/*)
symvers=$top/build/kernel/generic/headers/Module.symvers

make -s -f cli/Makefile BUILD="$build" "$chessctl" >&2 || exit 1

. selftests/ktap.sh
faults=
fault() { faults="$faults# $*"$'\n'; }
check()
{
	faults=
	"$2"
	printf '%s' "$faults"
	[ -z "$faults" ]
	result $? "$1"
}

# Files that are in the tree, not what a build or an editor left there.
tracked()
{
	git ls-files -- "$@" 2>/dev/null | grep . && return
	# shellcheck disable=SC2086,SC2048 # patterns
	printf '%s\n' $* | grep -v '\.mod\.c$'
}

# Text in code: spans, fenced blocks, lines set in by four blanks.
code_of()
{
	awk '/^```/ { fence = !fence; next }
	     fence || /^    / { print; next }
	     { n = split($0, part, "`"); for (i = 2; i <= n; i += 2) print part[i] }' "$@"
}

# name.[ch] is two files.
paths_in() { grep -oE '`[A-Za-z0-9_./-]+(\.\[ch\])?`' "$@" | tr -d '`' |
	sed -E 's/^(.*)\.\[ch\]$/\1.c\n\1.h/' | sort -u; }

architecture()
{
	local f described

	described=$(paths_in docs/architecture.md)
	for f in $(grep / <<<"$described"); do
		case $f in
		/*|build/*) ;;
		*) [ -e "$f" ] || fault "docs/architecture.md names $f, which is not there" ;;
		esac
	done
	for f in $(tracked 'include/uapi/linux/*.h'); do
		grep -qxF "$f" <<<"$described" || fault "docs/architecture.md does not describe $f"
	done
}

# The rooms of the module: what is in them, and what they may not know.
rooms()
{
	local dir readme f other

	for dir in kmod/*/; do
		readme=${dir}README.md
		[ "$(wc -l <"$readme")" -le 40 ] || fault "$readme is missing, or longer than 40 lines"
		for f in $(tracked "$dir*.[ch]"); do
			f=${f#"$dir"}
			grep -qE "\`${f%.?}\.(${f##*.}|\[ch\])\`" "$readme" || fault "$readme does not name $f"
		done
		for other in $(grep -oE '\`\.\./[a-z_0-9/]+(\.[ch])?\`' "$readme" | tr -d '\`'); do
			[ -e "$dir$other" ] || fault "$readme names $other, which is not there"
		done
		for other in kmod/*/; do
			[ "$other" = "$dir" ] && continue
			f=$(grep -lE "#include \"$(basename "$other")/|#include \"netlink" "$dir"*.[ch])
			[ -z "$f" ] || fault "${f//$'\n'/, } may not know $other nor netlink"
		done
	done
}

named_files()
{
	local doc f

	for doc in "${docs[@]}"; do
		for f in $(paths_in "$doc" |
			   grep -E '^(kmod|libchessctl|cli|docs|include/uapi|scripts|selftests|bpf)/' |
			   grep -v NAME); do
			[ -e "$f" ] || fault "$doc names $f, which is not there"
		done
	done
	# The glossary says where each word lives, without quotes.
	for f in $(grep -oE '(kmod|libchessctl|cli)/([a-z_]+/)?[a-z_]+\.[ch]' docs/glossary.md | sort -u); do
		[ -e "$f" ] || fault "docs/glossary.md names $f, which is not there"
	done
}

links()
{
	local doc link

	for doc in "${docs[@]}"; do
		for link in $(grep -oE '\]\([^)]+\)' "$doc" | sed 's/^](//; s/)$//; s/#.*//'); do
			case $link in
			http*:*) ;;
			*) [ -e "$(dirname "$doc")/$link" ] || fault "$doc links to $link, which is not there" ;;
			esac
		done
	done
	for doc in docs/*.md docs/man/*; do
		[ "$doc" = docs/index.md ] || grep -qE "\(${doc#docs/}\)" docs/index.md ||
			fault "docs/index.md does not lead to $doc"
	done
}

make_targets()
{
	local doc target

	for doc in "${docs[@]}"; do
		for target in $(code_of "$doc" | grep -oE '^ *make +[a-z][a-z-]*' |
				sed 's/.*make *//' | sort -u); do
			grep -qE "^$target:" Makefile || fault "$doc: the Makefile has no target $target"
		done
	done
}

# One that takes the place of a program stands in the first line.
options_of() { "$chessctl" "$1" --help=all | sed -n '1s/.*| \(--\)/  \1/p; /^options:/,$p' | grep -oE '^  --[a-z-]+' | tr -d ' '; }
commands=$("$chessctl" --help | sed -n 's/^  \([a-z]\{2,\}\)  .*/\1/p')

commands_shown()
{
	local doc line command option

	[ "$(wc -w <<<"$commands")" -ge 8 ] || fault "chessctl --help names no commands: $commands"
	for doc in "${docs[@]}"; do
		while read -r line; do
			line=${line#*chessctl }
			line=${line%% -- *}
			command=${line%%[ |;,]*}
			case $command in --host|internal-exec) continue ;; esac
			grep -qxF -- "$command" <<<"$commands" ||
				{ fault "$doc: there is no command chessctl $command"; continue; }
			for option in $(grep -oE -- '--[a-z][a-z-]*' <<<"$line"); do
				options_of "$command" | grep -qxF -- "$option" ||
					fault "$doc: chessctl $command has no $option"
			done
		done < <(code_of "$doc" |
			   grep -E '^ *(\$ )?(sudo )?(build/)?chessctl [-a-z]')
	done
}

man_page()
{
	local text command option

	text=$(sed 's/\\-/-/g; s/\\[fF][BIRP]//g' docs/man/chessctl.1)
	for command in $commands; do
		grep -qE "^\.B ($command|chessctl $command)\$" <<<"$text" ||
			fault "docs/man/chessctl.1 does not describe the command $command"
		for option in $(options_of "$command"); do
			[ "$option" = --help ] || grep -qE -- "(^|[^a-z-])$option([^a-z-]|\$)" <<<"$text" ||
				fault "docs/man/chessctl.1 does not describe $option of $command"
		done
	done
	for option in $(sed 's/ -- .*//' <<<"$text" | grep -oE -- '--[a-z][a-z-]+' | sort -u); do
		for command in $commands; do
			options_of "$command" | grep -qxF -- "$option" && continue 2
		done
		fault "docs/man/chessctl.1 describes $option, which no command has"
	done
	for page in "${pages[@]}"; do
		head -n 3 "$page" | grep -q '^\.TH' || fault "$page does not begin with .TH"
	done
}

# The rows of CHESS_VERDICTS are the manual's section, and each is explained.
verdicts()
{
	local word words difference

	difference=$(scripts/verdicts.sh 2>&1) || fault "${difference//$'\n'/$'\n# '}"
	words=$(sed -n 's/.*ROW([A-Z]*, "\([a-z]*\)", .*/\1/p' libchessctl/include/chessctl/verdict.h)
	[ "$(wc -l <<<"$words")" -ge 11 ] || fault "chessctl/verdict.h has no rows: $words"
	for word in $words; do
		grep -q "^| \`$word\` " docs/verdicts.md || fault "docs/verdicts.md does not say when a run is $word"
	done
}

abi_constants()
{
	local name headers=(include/uapi/linux/chess*.h)

	for name in $(grep -ohE 'CHESS_(EVENT|OP|OPF|OBJECT|FIXUP)_[A-Z0-9_]+' "${headers[@]}" | sort -u); do
		case $name in CHESS_EVENT_IS_DECISION|CHESS_OP_MAX) continue ;; esac
		grep -qE "\b$name\b" docs/abi.md || fault "docs/abi.md does not name $name"
	done
	for name in $(grep -oE '\bCHESS_[A-Z0-9_]+' docs/abi.md | sort -u); do
		grep -qE "\b$name\b" "${headers[@]}" || fault "docs/abi.md names $name, which no header has"
	done
	for name in $(sed -n '/^operations:/,$ s/^      name: //p' docs/netlink/specs/chess.yaml); do
		grep -q "^| \`$name\`" docs/abi.md || fault "docs/abi.md does not describe $name"
	done
}

abi_errors()
{
	local name seen

	seen=$(tracked 'kmod/netlink*.c' kmod/plan.c kmod/group.c kmod/task.c kmod/adopt.c kmod/record.c \
		kmod/rights.c kmod/quota.c |
		xargs grep -ohE '[^A-Z]-E[A-Z0-9]+' | sed 's/.*-/-/' | sort -u)
	for name in $seen; do
		grep -qF "| \`$name\` |" docs/abi.md || fault "docs/abi.md does not describe $name"
	done
	for name in $(sed -n 's/^| `\(-E[A-Z0-9]*\)` .*/\1/p' docs/abi.md); do
		grep -qxF -- "$name" <<<"$seen" || fault "docs/abi.md describes $name, which is not used"
	done
}

# Rows of kernels.md: | `symbol` | how exported | kmod/file.c | ...
kernel_symbols()
{
	local symbol how file name

	while IFS='|' read -r _ symbol how file _; do
		symbol=$(tr -d '` ' <<<"$symbol")
		file=$(tr -d ' ' <<<"$file")
		name=$symbol
		case $symbol in
		tracepoint_srcu) name=tracepoint_synchronize_unregister ;;
		hrtimer_init) name='hrtimer_init' ;;
		init_task) name=for_each_process ;;
		esac
		grep -q "$name" "$file" || fault "docs/kernels.md: $file does not use $symbol"
		[ -f "$symvers" ] || continue
		case $how in
		*GPL*) grep -qP "\t(__)?$symbol\t.*EXPORT_SYMBOL_GPL" "$symvers" ||
			fault "docs/kernels.md: $symbol is not exported to GPL modules" ;;
		*yes*) grep -qP "\t$symbol\t.*EXPORT_SYMBOL\t" "$symvers" ||
			fault "docs/kernels.md: $symbol is not exported to all" ;;
		esac
	done < <(grep -E '^\| `[a-z_]+` \| .*\| kmod/' docs/kernels.md | awk -F'|' -v OFS='|' '
		# The table of what is not exported has the file in front.
		$3 ~ /kmod\// { print "", $2, "none", $3, ""; next } { print }')
	if [ -f "$symvers" ]; then
		for symbol in ptrace_may_access get_signal; do
			grep -qP "\t$symbol\t" "$symvers" && fault "$symbol is exported after all"
		done
	fi
	# What is unusual in a module must be listed.
	for symbol in $(tracked 'kmod/*.c' | xargs grep -ohE '\b((un)?register_(k(ret)?probe|die_notifier)|preempt_notifier_(inc|dec|(un)?register)|task_work_add|tracepoint_probe_(un)?register|for_each_kernel_tracepoint|static_call_update|access_process_vm|synchronize_rcu_tasks|netlink_register_notifier|kallsyms_[a-z_]+)\b' | sort -u); do
		grep -q "^| \`$symbol\`" docs/kernels.md || fault "docs/kernels.md does not list $symbol"
	done
	for symbol in $(sed -n 's/^	{ "\([a-z_]*\)", handle_.*/\1/p' kmod/probe.c); do
		grep -q "^| \`$symbol\`" docs/kernels.md || fault "docs/kernels.md does not list tracepoint $symbol"
	done
}

packages()
{
	local p

	for p in $(sed -n '/^packages="gcc/,/python3-jsonschema"/p' scripts/install-deps.sh | grep -v '^#' |
		   sed 's/packages="\$\?packages\?//; s/packages="//' | tr -d '"$'); do
		case $p in packages) continue ;; esac
		grep -qE "(^|[^a-z0-9-])$p([^a-z0-9-]|\$)" docs/dependencies.md ||
			fault "docs/dependencies.md does not say what $p is for"
	done
}

# "`path`:" in front of a block of C: the block is the file.
shown_files()
{
	local doc line path shown=0

	for doc in "${docs[@]}"; do
		while read -r line path; do
			shown=$((shown + 1))
			diff -q <(awk -v from="$line" 'NR > from && /^```$/ { exit } NR > from' "$doc") \
				"$path" >/dev/null || fault "$doc, line $line: this is not $path"
		done < <(awk '/`selftests\/[^`]*\.[ch]`:$/ { n = split($0, part, "`")
						     path = part[n - 1]; next }
			      /^```c$/ && path { print NR, path }
			      NF { path = "" }' "$doc")
	done
	[ $shown -ge 3 ] || fault "only $shown files are shown"
}

sessions()
{
	local command count

	count=$(cat "${docs[@]}" | grep -c '^```console$')
	[ "$count" -ge 3 ] || fault "there are only $count sessions marked console"
	grep -qE '^docs .*selftests/docs.sh' selftests/vm-suites || fault "selftests/vm-suites does not run docs.sh"
	while read -r command; do
		case $command in
		'$ build/'*|'$ echo $?') ;;
		*) fault "a session has a command that docs.sh cannot run: $command" ;;
		esac
	done < <(awk '/^```console$/ { in_session = 1; next } /^```$/ { in_session = 0 }
		      in_session && /^\$ /' "${docs[@]}")
}

echo "KTAP version 1"
echo "1..14"
check "architecture.md names files that exist, and every header of the ABI" architecture
check "the rooms of the module say what is in them, and keep apart" rooms
check "files that are named exist" named_files
check "links lead somewhere and index.md leads everywhere" links
check "make targets exist" make_targets
check "commands and options shown exist" commands_shown
check "man page and help agree" man_page
check "the manual has every verdict, and verdicts.md its rule" verdicts
check "abi.md and the headers agree" abi_constants
check "abi.md and the module's errors agree" abi_errors
check "kernels.md lists what the module leans on" kernel_symbols
check "dependencies.md lists what is installed" packages
check "files shown are the files" shown_files
check "sessions can be run" sessions
totals
