#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Bugs of Debian's packages that upstream has documented: a search has to find each
# with its verdict and preemptions, and its trace has to replay (docs/found.md).
# Run inside the VM, as root; "make check-apps" installs the packages and calls it.
#
# BUILD  build directory (default build)
# TIMES  replays of each trace (default 100)
# Usage: found.sh [NAME...]; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/ktap.sh
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
TIMES=${TIMES:-100}
LIMIT=300		# seconds for one search

need "$CHESSCTL"
own_folder found

# name | verdict | preemptions | file of the package | line of the report that shows that it is
# this bug | options of the search | command
bugs()
{
	cat <<-END
	memcached_register|deadlock|1 preemption|/usr/bin/memcached|T0 .* pthread_cond_wait |--bound 1 --points sync|selftests/found/memcached_stop.sh
	memcached_logger|deadlock|1 preemption|/usr/bin/memcached|T0 .* pthread_join |--bound 1 --points sync --keep-going --runs 330|selftests/found/memcached_stop.sh
	python_print|deadlock|1 preemption|/usr/bin/python3|T2 .* sem_wait |--bound 1|/usr/bin/python3 -IS selftests/found/python_print.py
	END
}

# Of the traces in DIR the first one that is of the bug
# find_trace DIR VERDICT PREEMPTIONS SIGN
find_trace()
{
	local t report

	while read -r t; do
		report=$("$CHESSCTL" show "$t")
		if grep -q "^$2: " <<<"$report" && grep -q "^  $3, " <<<"$report" &&
		   grep -q "^  $4" <<<"$report"; then
			echo "$t"
			return 0
		fi
	done < <(find "$1" -name '*.trace' | sort -V)
	return 1
}

list=()
while IFS= read -r line; do
	[ $# = 0 ] || [[ " $* " = *" ${line%%|*} "* ]] && list+=("$line")
done < <(bugs)
[ ${#list[@]} -gt 0 ] || skip_all "no bug named $*"

echo "KTAP version 1"
echo "1..$((2 * ${#list[@]}))"
for line in "${list[@]}"; do
	IFS='|' read -r name verdict preemptions needs sign options command <<<"$line"
	read -r -a options <<<"$options"
	read -r -a command <<<"$command"
	if [ ! -x "$needs" ]; then
		result skip "${name}_is_found" "no $needs"
		result skip "${name}_replays_${TIMES}_times" "no $needs"
		continue
	fi
	start=$SECONDS trace=
	"$CHESSCTL" explore --host --out "$out/$name" --time $LIMIT "${options[@]}" -- \
		"${command[@]}" >"$out/said" 2>&1 </dev/null
	code=$?
	sed 's/^/# /' "$out/said"
	echo "# $name: $((SECONDS - start)) s"
	[ $code = 1 ] && trace=$(find_trace "$out/$name" "$verdict" "$preemptions" "$sign")
	result $? "${name}_is_found"
	[ -z "$trace" ] || "$CHESSCTL" show "$trace" | sed "s/^/# ${trace##*/}: /"
	"$CHESSCTL" replay --host --times "$TIMES" "$trace" >"$out/said" 2>&1
	head -n 1 "$out/said" | sed 's/^/# /'
	grep -q "reproduced: $TIMES of $TIMES replays, records identical" "$out/said"
	result $? "${name}_replays_${TIMES}_times"
done
totals
