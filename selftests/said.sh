# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# One command of chessctl and what it must have said, for suites that are bash scripts; to
# be sourced after ktap.sh. They set CHESSCTL and LIMIT (seconds one chessctl may take),
# and call own_folder.

# chess ARGUMENT...: what it says goes to $out/said, its exit code to $code
chess()
{
	timeout -k 5 "$LIMIT" "$CHESSCTL" "$@" >"$out/said" 2>&1 </dev/null
	code=$?
}

# said CODE PATTERN...: that exit code, and a line for each pattern; none for !PATTERN
said()
{
	local pattern

	[ "$code" = "$1" ] || { echo "exit code $code" >>"$out/said"; return 1; }
	shift
	for pattern; do
		if [ "${pattern#!}" != "$pattern" ]; then
			! grep -Eq -- "${pattern#!}" "$out/said"
		else
			grep -Eq -- "$pattern" "$out/said"
		fi || { echo "no $pattern" >>"$out/said"; return 1; }
	done
}
