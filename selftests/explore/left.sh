#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A branch that is left out because its prefix leads elsewhere leaves evidence: a trace, the
# first event in which runs differ, and what that hangs on; replay follows that trace. Run
# inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/ktap.sh
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
chessctl=$BUILD/chessctl
program=$BUILD/selftests/inputs/left

need "$chessctl" "$program"
own_folder left
cd "$out" || exit 1

# explore_as HOW [OPTION...]: a search for left HOW in a folder of its own
explore_as()
{
	local how=$1

	shift
	mkdir "$out/$how" && cd "$out/$how" || exit 1
	"$chessctl" explore --host --no-bpf --points sync,syscalls --strategy icb --bound 1 \
		--runs 12 "$@" -- "$program" "$how" >"$out/said" 2>&1
}

echo "KTAP version 1"
echo "1..8"

explore_as grows
grep -q 'PRUNED' "$out/said" && grep -q 'left out, kept as chess-traces/left-diverged-1.trace:' "$out/said"
result $? branch_is_kept_as_a_trace
grep -q 'two runs of it differ first at event [0-9]*: expected T0 lseek.* seen T0 lseek' "$out/said"
result $? first_difference_is_told
grep -q 'it depends on a file that differs in each run' "$out/said" &&
	grep -q "it uses $out/grows/left.count, which was written to since the search began" "$out/said"
result $? cause_is_a_file
"$chessctl" replay --host chess-traces/left-diverged-1.trace >"$out/said" 2>&1
[ $? = 4 ] && grep -q 'lseek' "$out/said"
result $? replay_of_what_changes_each_time_diverges

explore_as once
trace=chess-traces/left-diverged-1.trace
grep -q 'two runs of it are the same, and differ from when the search was there' "$out/said" &&
	grep -q "it uses $out/once/left.count, which was written to" "$out/said"
result $? what_has_changed_and_stays_is_told
"$chessctl" replay --host --json "$trace" >"$out/replay" 2>&1
cat "$out/replay" >>"$out/said"
grep -q '"recorded": *"diverged"' "$out/replay" && grep -q '"identical": *1\b' "$out/replay"
result $? replay_follows_such_a_trace

# Nobody can know it, and nobody says so.
explore_as hidden
grep -q 'it depends on something that the record does not show' "$out/said"
result $? unknown_cause_is_said_to_be_unknown
rm -rf "$out/hidden"
explore_as hidden --json
tr -d '\n' <"$out/said" | grep -q '"left": *\[ *{ *"trace": *"[^"]*left-diverged-1.trace", *"causes": *\[ *"'
result $? json_has_trace_and_causes

totals
