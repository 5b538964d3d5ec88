# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# When are the results of two searches the same? For interrupt.sh and jobs.sh; to be sourced.

# plain ANSWER: of explore --json, without what is about time, jobs and places
plain()
{
	grep -vE '"(seconds|runs_per_second|jobs|trace|replay|pid)":' "$1" |
		sed 's|"[^"]*/\([^/"]*\.trace\)"|"\1"|'
}

# same_traces DIR DIR: names and contents, but for pids of the machine
same_traces()
{
	local f

	[ "$(cd "$1" && ls -A)" = "$(cd "$2" && ls -A)" ] || {
		echo "# $1 has $(cd "$1" && echo *), $2 has $(cd "$2" && echo *)"
		return 1
	}
	for f in "$1"/*.trace; do
		[ -e "$f" ] || continue
		diff -a <(pidless "$f") <(pidless "$2/${f##*/}") >"$out/diff" && continue
		head -n 20 "$out/diff" | cut -c 1-200 | tr -cd "[:print:]\n" | sed "s|^|# ${f##*/}: |"
		return 1
	done
}

pidless() { sed 's/^\(wait T[0-9]* \)pid=[0-9]* /\1/; /^checksum /d' "$1"; }

# same_search ANSWER DIR CODE ANSWER DIR CODE
same_search()
{
	[ "$3" = "$6" ] || {
		echo "# exit codes $3 and $6"
		return 1
	}
	diff <(plain "$1") <(plain "$4") | sed 's/^/# /'
	[ "${PIPESTATUS[0]}" = 0 ] && same_traces "$2" "$5"
}
