#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# chessctl shard submit on a Slurm of four nodes and with GNU parallel, while nodes, jobs and
# chessctl itself are killed at random: the result is that of one search. What makes the runs is
# shard_sim, so that a search of 28,107 runs takes a minute; all else is what users have.
#
# KILLS: so many of them in each search with kills; 50. SEED: of the random numbers.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh

cluster=selftests/slurm/cluster.sh
chessctl=$PWD/${BUILD:-build}/chessctl
sim=$PWD/${BUILD:-build}/selftests/slurm/shard_sim
KILLS=${KILLS:-50}
RANDOM=${SEED:-$$}
PATH=$PATH:/usr/sbin
need "$chessctl" "$sim"
for tool in munged slurmctld slurmd sbatch parallel; do
	command -v $tool >/dev/null || skip_all "no $tool; run scripts/install-deps.sh slurm"
done

own_folder storm
trap '$cluster stop "$out/c" 2>/dev/null; kill $(jobs -p) 2>/dev/null; rm -rf "$out"' EXIT
trap 'exit 130' INT TERM HUP
export CHESS_SHARD=$sim

echo "KTAP version 1"
echo "1..9"

# submit DIR ARG...: in the background, to $pid; its JSON goes to DIR.json
submit()
{
	local dir=$1

	shift
	"$chessctl" shard submit --json --progress none "$@" >"$dir.json" 2>>"$out/said" &
	pid=$!
}

begin() { submit "$out/$1" --dir "$out/$1" --engine "$2" --shards "$3" --share 1 --share-max "$4" -- prog; }

# of DIR's result: "N runs, N classes", as shard_sim alone prints it
said_by()
{
	python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
print(r["runs"], "runs,", r["certificate"]["classes"], "classes")' "$out/$1.json" 2>>"$out/said"
}

queue_is_empty() { [ -z "$(squeue -h)" ]; }

# is_equal DIR NAME [CODE]: what was merged is what one search has found
is_equal()
{
	local got

	wait $pid
	code=$?
	got=$(said_by "$1")
	[ $code = "${3:-0}" ] && [ "$got" = "$alone" ]
	result $? "$2" "exit code $code, $got; alone $alone; seed ${SEED:-$$}"
}

# tasks DIR: processes that run a shard of it
tasks()
{
	local p

	for p in /proc/[0-9]*; do
		[ "$(cut -d '' -f 1-6 "$p/cmdline" 2>/dev/null | tr '\0' ' ')" = \
			"$chessctl shard submit --dir $out/$1 --task " ] && echo "${p#/proc/}"
	done
}

# one_of WORD...: a random one
one_of() { [ $# = 0 ] || { shift $((RANDOM % $#)); echo "$1"; }; }

# storm DIR KIND...: KILLS kills, each of a random kind, and what is killed begins again
storm()
{
	local dir=$1 done=0 kind victim i

	shift
	for ((i = 0; done < KILLS && i < 20 * KILLS; i++)); do
		sleep "0.$((RANDOM % 9 + 1))"
		if ! kill -0 $pid 2>/dev/null; then
			# It ended before the last kill.
			break
		fi
		kind=$(one_of "$@")
		case $kind in
		node)
			victim=n$((RANDOM % 4 + 1))
			$cluster kill-node "$out/c" $victim
			$cluster start-node "$out/c" $victim
			done=$((done + 1)) ;;
		scancel)
			# shellcheck disable=SC2046 # words, here and below
			victim=$(one_of $(squeue -h -r -t R -o %F_%K))
			[ -n "$victim" ] && scancel "$victim" && done=$((done + 1)) ;;
		job)
			# shellcheck disable=SC2046
			victim=$(one_of $(tasks "$dir"))
			[ -n "$victim" ] && kill -KILL "$victim" 2>/dev/null && done=$((done + 1)) ;;
		submitter)
			kill -KILL $pid 2>/dev/null && done=$((done + 1))
			wait $pid 2>/dev/null
			submit "$out/$dir" --resume "$out/$dir" ;;
		esac
	done
	killed=$done
}

export SHARD_SIM="4 4 3 0"
alone=$("$sim" alone)
export SHARD_SIM="4 4 3 3000"

$cluster start "$out/c" 4 >"$out/said" 2>&1 || { cat "$out/said"; exit 1; }
. "$out/c/env"

SHARD_SIM="4 4 3 100"
begin local local 4 5
is_equal local one_machine_in_shards

begin slurm slurm 4 5
is_equal slurm slurm_in_shards

begin parallel parallel 4 5
is_equal parallel parallel_in_shards

SHARD_SIM="4 4 3 15000"
begin slurm-storm slurm 8 4
storm slurm-storm node scancel job submitter submitter
[ "$killed" -ge "$KILLS" ]
result $? all_kills_came_before_the_end "$killed of $KILLS"
is_equal slurm-storm "slurm_in_a_storm_of_${KILLS}_kills"
SHARD_SIM="4 4 3 6000"
begin parallel-storm parallel 4 4
storm parallel-storm job submitter
[ "$killed" -ge "$KILLS" ]
result $? also_with_parallel "$killed of $KILLS"
is_equal parallel-storm "parallel_in_a_storm_of_${KILLS}_kills"

# Eight jobs of a CI that share nothing but files that they upload and download.
SHARD_SIM="4 4 3 100"
mkdir "$out/ci" "$out/ci/artifacts"
(cd "$out/ci" && "$sim" shard split --shards 8 --out shards -- prog) >"$out/said" 2>&1
cp "$out/ci/shards/split.result" "$out/ci/artifacts/"
for job in 0 1 2 3 4 5 6 7; do
	mkdir "$out/ci/job$job"
	cp "$out/ci/shards/00$job.shard" "$out/ci/job$job/"
	(cd "$out/ci/job$job" && "$sim" shard run --out . "00$job.shard" &&
		mv a.result "../artifacts/00$job.result") >>"$out/said" 2>&1 &
	jobs[job]=$!
done
wait "${jobs[@]}"
"$chessctl" shard merge --json "$out"/ci/artifacts/*.result >"$out/ci.json" 2>>"$out/said" &
pid=$!
is_equal ci eight_jobs_that_share_files_only

# Which run that is, programs.sh compares: this one has no trace.
export SHARD_SIM_BUG=2
begin bug slurm 4 4
wait $pid
code=$?
got=$(said_by bug)
[ $code = 1 ] && [ "${got%% *}" -gt 0 ] && [ "${got%% *}" -lt "${alone%% *}" ]
result $? a_bug_ends_the_search "exit code $code, $got; alone $alone"

$cluster stop "$out/c" >>"$out/said" 2>&1
totals
