#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Proves for every call of "calls" that it gives a program under control what it
# gives without: blocked and woken, timed out, interrupted, refused; that TIMES runs
# leave one record; and that the record shows the point, the block and the decided
# time-out.  docs/calls.md is what the records showed; a test says when it is old.
# Run inside the VM, as root, with the module loaded (selftests/vm-suites).
#
# BUILD  build directory (default build)
# TIMES  runs of each program that must leave one record (default 20)
# Usage: conformance.sh [PATTERN...]: shell patterns of "PROGRAM ARGUMENT"; KTAP on
# stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C PATH=/usr/bin:/bin
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../ktap.sh
. selftests/ktap.sh
BUILD=$(cd "${BUILD:-build}" && pwd) || exit 1
TIMES=${TIMES:-20}
RUN_LIMIT=${RUN_LIMIT:-60}	# seconds for one run of a program
RECORD_LIMIT=300	# seconds for all its runs that are compared
dir=$BUILD/selftests/conformance

tmp=$(mktemp -d "${TMPDIR:-/tmp}/chess-conformance.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT

for f in "$BUILD/chessctl" "$dir/records"; do
	[ -x "$f" ] || skip_all "no $f; run make tests"
done

controlled()
{
	timeout -k 5 $RUN_LIMIT "$BUILD/chessctl" run --host --run-timeout $((RUN_LIMIT / 2)) \
		-- "$@" 2>"$tmp/controlled.err" </dev/null
}

# What differs, by case.  Where a run under control did not get to the end, the
# cases it did not reach are tried one by one.
explain()
{
	local line case

	diff "$tmp/bare" "$tmp/controlled" |
		sed -n 's/^< /#   bare:       /p; s/^> /#   controlled: /p'
	sed 's/^/#   stderr: /' "$tmp/controlled.err" | head -n 8
	[ "$(wc -l <"$tmp/controlled")" -lt "$(wc -l <"$tmp/bare")" ] || return
	while read -r line; do
		grep -q "^${line%%:*}: " "$tmp/controlled" && continue
		case=${line%%:*}
		case=${case#* }
		timeout -k 5 $RUN_LIMIT "$@" "$case" >"$tmp/one.bare" 2>&1 </dev/null
		[ -s "$tmp/one.bare" ] || continue
		controlled "$@" "$case" >"$tmp/one"
		cmp -s "$tmp/one.bare" "$tmp/one" && continue
		sed 's/^/#   alone, bare:       /' "$tmp/one.bare"
		sed 's/^/#   alone, controlled: /' "$tmp/one"
		sed 's/^/#   alone, stderr:     /' "$tmp/controlled.err" | head -n 4
	done <"$tmp/bare"
}

# trim TEXT: without blanks around it, to $trimmed. Here and below no process is made
# for what the shell can do: one costs as much as a run where the VM is emulated.
trim()
{
	trimmed=${1#"${1%%[![:space:]]*}"}
	trimmed=${trimmed%"${trimmed##*[![:space:]]}"}
}

rows=()
while IFS='|' read -r -a fields; do
	case ${fields[0]} in '#'*) continue ;; esac
	row=
	for field in "${fields[@]}"; do
		trim "$field"
		row+=${row:+|}$trimmed
	done
	IFS='|' read -r call command _ <<<"$row"
	wanted "$command" "$@" || continue
	rows+=("$row")
done <selftests/conformance/calls
[ ${#rows[@]} -gt 0 ] || skip_all "no program like $*"

cat >"$tmp/calls.md" <<END
# Calls that a program can wait in

\`selftests/conformance/conformance.sh\` generates this table from the records of its runs;
\`selftests/conformance/calls\` lists the program that makes each call. Each program was compared
with itself without control: blocked and woken, timed out, interrupted by a signal, refused.

- **point**: before the call, a decision chooses the task that runs next
- **block seen**: a task was seen to block in the call while other tasks continued
- **time-out decided**: its deadline passed on the group's clock because a decision let it pass;
  "timer": the timer went off on the group's clock; "-": the call has no time-out

| call | point | block seen | time-out decided |
|---|---|---|---|
END

echo "KTAP version 1"
echo "1..$((${#rows[@]} * 3 + ($# == 0)))"
absent=0
for row in "${rows[@]}"; do
	IFS='|' read -r call command point wait time <<<"$row"
	read -r -a words <<<"$command"
	program=("$dir/${words[0]}" "${words[@]:1}")
	name=${command// /_}

	timeout -k 5 $RUN_LIMIT "${program[@]}" >"$tmp/bare" 2>&1 </dev/null
	bare=$?
	read -r -d '' said <"$tmp/bare"
	if [[ $said =~ (^|$'\n')[^' ']*' skipped: '([^$'\n']*) ]]; then
		why=${BASH_REMATCH[2]}
		for what in gives_the_same gives_one_record is_decided; do
			result skip "${name}_$what" "$why"
		done
		absent=$((absent + 1))
		continue
	fi
	controlled "${program[@]}" >"$tmp/controlled"
	code=$?
	[ $bare = 0 ] && [ $code = 0 ] && [ -s "$tmp/bare" ] && cmp -s "$tmp/bare" "$tmp/controlled"
	same=$?
	if [ $same != 0 ]; then
		echo "# $call ($command): exit code $bare bare, $code controlled"
		explain "${program[@]}"
	fi
	result $same "${name}_gives_the_same"

	seen=
	timeout -k 5 $RECORD_LIMIT "$dir/records" --times "$TIMES" --point "$point" \
		${wait:+--wait "$wait"} -- "${program[@]}" >"$tmp/records" 2>&1 </dev/null
	code=$?
	while read -r line; do
		case $line in
		'seen '*) seen=${line#seen } ;;
		*) echo "# ${line#'# '}" ;;
		esac
	done <"$tmp/records"
	result $code "${name}_gives_one_record_in_${TIMES}_runs"

	[[ $seen =~ point=(.*)\ block=(.*)\ time=(.*) ]] || seen=
	if [ -n "$seen" ]; then
		p=${BASH_REMATCH[1]} b=${BASH_REMATCH[2]} t=${BASH_REMATCH[3]}
	else
		p=no b=no t=no
	fi
	[ "$time" = - ] && t=-
	[ "$time" = timer ] && [ $t = yes ] && t=timer
	echo "| $call | $p | $b | $t |" >>"$tmp/calls.md"
	[ $p = yes ] && [ $b = yes ] && [ $t != no ]
	code=$?
	[ $code = 0 ] || echo "# $call: point $p, block seen $b, time-out decided $t"
	result $code "${name}_is_decided"
done

if [ $# = 0 ]; then
	if [ $absent != 0 ]; then
		result skip "docs_calls_md_is_what_was_seen" "$absent calls are not in this kernel"
	else
		[ -z "${CHESS_CHECK_OUT:-}" ] || cp "$tmp/calls.md" "$CHESS_CHECK_OUT/calls.md"
		diff -u docs/calls.md "$tmp/calls.md" >"$tmp/diff" 2>&1
		code=$?
		if [ $code != 0 ]; then
			sed 's/^/# /' "$tmp/diff" | head -n 60
			echo "# the table is old: copy calls.md from build/check/conformance.d to docs"
		fi
		result $code "docs_calls_md_is_what_was_seen"
	fi
fi
totals
