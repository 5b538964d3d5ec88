#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Bugs of Debian's packages that upstream has documented: a search has to find each
# with its verdict and preemptions, and its trace has to replay (docs/found.md).
# Run inside the VM, as root; "make check-apps" installs the packages and calls it.
#
# BUILD  build directory (default build)
# TIMES  replays of each trace (default 10)
# Usage: found.sh [NAME...]; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../ktap.sh
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
TIMES=${TIMES:-10}
LIMIT=300		# seconds for one search

[ -x "$CHESSCTL" ] || skip_all "no $CHESSCTL; run make"
out=$(mktemp -d "${TMPDIR:-/tmp}/chess-found.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
# shellcheck disable=SC2034 # ktap.sh shows it
ktap_output=$out/said

# name | verdict | preemptions | options of the search | command
bugs()
{
	cat <<-END
	python_print|deadlock|1 preemption|--bound 1|/usr/bin/python3 -IS selftests/found/python_print.py
	END
}

list=()
while IFS= read -r line; do
	[ $# = 0 ] || [[ " $* " = *" ${line%%|*} "* ]] && list+=("$line")
done < <(bugs)
[ ${#list[@]} -gt 0 ] || skip_all "no bug named $*"

echo "KTAP version 1"
echo "1..$((2 * ${#list[@]}))"
for line in "${list[@]}"; do
	IFS='|' read -r name verdict preemptions options command <<<"$line"
	read -r -a options <<<"$options"
	read -r -a command <<<"$command"
	if [ ! -x "${command[0]}" ]; then
		result skip "${name}_is_found" "no ${command[0]}"
		result skip "${name}_replays_${TIMES}_times" "no ${command[0]}"
		continue
	fi
	start=$SECONDS
	"$CHESSCTL" explore --host --out "$out/$name" --time $LIMIT "${options[@]}" -- \
		"${command[@]}" >"$out/said" 2>&1 </dev/null
	code=$?
	sed 's/^/# /' "$out/said"
	echo "# $name: $((SECONDS - start)) s"
	[ $code = 1 ] && grep -q "^$verdict: " "$out/said" &&
		grep -q "^  $preemptions, " "$out/said"
	result $? "${name}_is_found"
	"$CHESSCTL" replay --host --times "$TIMES" "$out/$name"/*.trace >"$out/said" 2>&1
	head -n 1 "$out/said" | sed 's/^/# /'
	grep -q "reproduced: $TIMES of $TIMES replays, records identical" "$out/said"
	result $? "${name}_replays_${TIMES}_times"
done
totals
