# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the tests of the packages share; they source it. Each check prints a line "ok NAME" or
# "not ok NAME", after the end of what the command printed.

failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# check NAME COMMAND...: its output is in $work/log
check()
{
	local name=$1 ret

	shift
	"$@" >"$work/log" 2>&1 </dev/null
	ret=$?
	if [ $ret = 0 ]; then
		echo "ok $name"
	else
		tail -n 15 "$work/log" | sed 's/^/# /'
		echo "# exit $ret"
		echo "not ok $name"
		failed=$((failed + 1))
	fi
}

# says PATTERN COMMAND...: whatever its exit code
says()
{
	local pattern=$1

	shift
	"$@" 2>&1 | tee "$work/said"
	grep -qE -- "$pattern" "$work/said"
}

# exits CODE COMMAND...
exits()
{
	local code=$1 ret

	shift
	"$@"
	ret=$?
	echo "exit $ret, wanted $code"
	[ $ret = "$code" ]
}

# as_nobody [--groups GROUP] COMMAND...
as_nobody()
{
	local groups=(--clear-groups)

	[ "$1" = --groups ] && groups=(--groups "$2") && shift 2
	setpriv --reuid nobody --regid nogroup "${groups[@]}" "$@"
}
