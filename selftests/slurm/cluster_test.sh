#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The cluster that the other tests here use (cluster.sh) is a real one: it has four nodes, runs
# job arrays, gives the tasks of a node that is lost to others, and is gone after "stop".

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh

cluster=selftests/slurm/cluster.sh
for tool in munged slurmctld slurmd sbatch; do
	PATH=$PATH:/usr/sbin command -v $tool >/dev/null ||
		skip_all "no $tool; run scripts/install-deps.sh slurm"
done

own_folder cluster
trap '$cluster stop "$out/c"; rm -rf "$out"' EXIT

echo "KTAP version 1"
echo "1..5"

$cluster start "$out/c" 4 >"$out/said" 2>&1
result $? four_nodes_come_up
. "$out/c/env"

# until_true SECONDS COMMAND...
until_true()
{
	local end=$((SECONDS + $1))

	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.3
	done
}

queue_is_empty() { [ -z "$(squeue -h)" ]; }

sbatch --parsable --array=0-7 -o /dev/null \
	--wrap "sleep 1; echo \$SLURM_ARRAY_TASK_ID \$SLURMD_NODENAME >>'$out/ran'" >"$out/said" 2>&1 &&
	until_true 60 queue_is_empty
[ "$(cut -d ' ' -f 1 "$out/ran" | sort | tr -d '\n')" = 01234567 ]
result $? an_array_runs_each_task_once
[ "$(cut -d ' ' -f 2 "$out/ran" | sort -u | wc -l)" = 4 ]
result $? on_all_nodes

# The task that is on the lost node begins once more elsewhere.
sbatch --parsable --requeue -o /dev/null \
	--wrap "echo \$SLURMD_NODENAME >>'$out/began'; sleep 3; echo >>'$out/ended'" >"$out/said" 2>&1
until_true 60 test -s "$out/began"
$cluster kill-node "$out/c" "$(head -n 1 "$out/began")"
until_true 120 test -s "$out/ended"
[ "$(sort -u "$out/began" | wc -l)" = 2 ] && [ "$(wc -l <"$out/ended")" = 1 ]
result $? the_task_of_a_lost_node_runs_elsewhere "$(squeue; sinfo -N)"

$cluster stop "$out/c" >"$out/said" 2>&1 &&
	! env -u SLURM_CONF grep -qzxF "SLURM_CONF=$out/c/slurm.conf" /proc/[0-9]*/environ 2>/dev/null
result $? nothing_is_left_of_it

totals
