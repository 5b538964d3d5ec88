#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Programs that do odd things say the same and end the same way alone, under chessctl run,
# and in a short search, which finds no bug in them. Run inside the VM, as root, with the
# module loaded.
#
#   program     run  explore  why not
#   forkbomb    yes  no       120 processes a run
#   manyforks   yes  no       5,000 processes a run
#   bigstack    yes  no       its stacks are 80 MB, touched in each run
#   singlestep  yes  no       hundreds of stops a run
#   strangertrace yes no      a known limit: prefixes are not followed where a task of the
#                             group interrupts another as its tracer (docs/limits.md)
#   all others  yes  yes
#
# BUILD  build directory (default build)
# LIMIT  seconds a search may take (default 2)
# ONLY   names of programs (default: all)
# ALL    not empty: the search of strangertrace, too
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh
BUILD=${BUILD:-build}
LIMIT=${LIMIT:-2}
# For one that hangs; a busy machine takes its time with manyforks.
PATIENCE=300
chessctl=$BUILD/chessctl
ONLY=${ONLY:-$(cd selftests/abuse && ls ./*.c | sed 's,^./,,; s,\.c$,,')}
read -r -a names <<<"${ONLY//$'\n'/ }"

need "$chessctl"
for name in "${names[@]}"; do
	need "$BUILD/selftests/abuse/$name"
done
own_folder abuse
no_search=' forkbomb manyforks bigstack singlestep '
[ -n "${ALL:-}" ] || no_search+='strangertrace '

# said_by FILE COMMAND...: its output, sorted (several processes may write), and its status
said_by()
{
	local file=$1 status

	shift
	timeout -s KILL "$PATIENCE" "$@" >"$out/raw" 2>"$out/errors" </dev/null
	status=$?
	{ sort "$out/raw"; echo "exit $status"; } >"$file"
	cat "$file" "$out/errors" >>"$out/said"
}

echo "KTAP version 1"
echo "1..$((2 * ${#names[@]}))"
for name in "${names[@]}"; do
	program=$BUILD/selftests/abuse/$name
	: >"$out/said"
	said_by "$out/alone" "$program"
	said_by "$out/run" "$chessctl" run --host -- "$program"
	cmp -s "$out/alone" "$out/run" && [ "$("$chessctl" status)" = "no groups" ]
	result $? "${name}_run"
	if [[ $no_search == *" $name "* ]]; then
		result skip "${name}_explore" "see the head of abuse.sh"
	elif [ "$name" = compat32 ] && grep -qx 'exit 139' "$out/alone"; then
		result skip "${name}_explore" "this kernel has no system calls of 32 bits"
	else
		: >"$out/said"
		said_by "$out/found" "$chessctl" explore --host --bound 1 --time "$LIMIT" \
			--out "$out/traces" -- "$program"
		# Four: what it looked at is not all there is, and it says so.
		grep -qx 'exit [04]' "$out/found" && ! grep -q 'diverged' "$out/said" &&
			[ "$("$chessctl" status)" = "no groups" ]
		result $? "${name}_explore"
	fi
done

totals
