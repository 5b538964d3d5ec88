#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Trace events: what tracefs shows of a run agrees with its record, and every command of
# docs/trace-events.md works; those of tools that are not installed are left out. Run
# inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C NO_COLOR=1
cd "$(dirname "$0")/../.." || exit 1
BUILD=$(realpath "${BUILD:-build}")
chessctl=$BUILD/chessctl
abba=$BUILD/selftests/programs/wrong/abba
. selftests/ktap.sh
[ -x "$chessctl" ] && [ -x "$abba" ] || skip_all "no $abba; run make tests"
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
ktap_output=$out/got

# The commands, one a line, with the tool in front.
mapfile -t commands < <(awk '/^```sh$/ { in_block = 1; next } /^```$/ { in_block = 0 }
			     in_block' docs/trace-events.md)
echo "KTAP version 1"
echo "1..$((${#commands[@]} + 6))"
[ ${#commands[@]} -ge 12 ]
result $? "the document has commands"

cd "$out" && ln -s "$BUILD" build || exit 1
for command in "${commands[@]}"; do
	tool=${command%% *}
	if ! command -v "$tool" >/dev/null; then
		result skip "$command" "$tool is not installed"
		continue
	fi
	timeout 120 bash -c "$command" >got 2>&1
	status=$?
	case $command in
	*'@ops'*) grep -q '^@ops\[2\]: ' got ;;
	*bpftrace*) grep -q '^@\[1, 0\]: ' got ;;
	'perf stat'*) grep -qE '^ +[1-9][0-9]* +chess:wake' got ;;
	'perf script'*) grep -q 'chess:point: group=' got && grep -q 'sched:sched_switch:' got ;;
	'trace-cmd report'*) grep -q 'decision: .* by=default' got ;;
	'cat '*) grep -q ' block: group=' got ;;
	*) [ -n "$tool" ] ;;
	esac || status=1
	result $status "${command//#/}"
done

tracing=/sys/kernel/tracing
echo 1 >$tracing/events/chess/enable
echo >$tracing/trace
"$chessctl" run --host --record trace -- "$abba" >got 2>&1
echo 0 >$tracing/events/chess/enable
cp $tracing/trace got

# same EVENT REGEX: as many of the event as lines of the trace match
same()
{
	local seen recorded

	seen=$(grep -c ": $1: group=" got)
	recorded=$(grep -cE "$2" trace)
	[ "$recorded" -gt 0 ] && [ "$seen" = "$recorded" ]
	result $? "tracefs and record have $recorded times $1"
}

same point '^event [0-9]+ point '
same decision '^event .* -> '
same block '^event [0-9]+ block '
same wake '^event [0-9]+ wake '
# One by one: number, task, op.
sed -nE 's/.*: point: group=[0-9]+ seq=([0-9]+) task=([0-9]+) .* op=([a-z_]+) .*/\1 T\2 \3/p' got >seen
sed -nE 's/^event ([0-9]+) point (T[0-9]+) .* op=([a-z_]+) .*/\1 \2 \3/p' trace >recorded
diff seen recorded >differences
result $? "and they are the same points"
totals
