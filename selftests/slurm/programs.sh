#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Searches of real programs in shards on a Slurm of four nodes, each shard in a VM, as a user has
# it: verdict, runs, happens-before classes and preemptions are those of explore --jobs 1.
#
#	programs.sh [PROGRAM...]	names in the table below; all
#
# ENGINE: slurm; parallel and local are the others.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh

cluster=selftests/slurm/cluster.sh
build=$PWD/${BUILD:-build}
chessctl=$build/chessctl
programs=$build/selftests/programs
engine=${ENGINE:-slurm}
need "$chessctl" "$programs/correct/semaphore_pool"

# name | options | program; without a reduction, so that the number of runs is the same
table="philosophers | --bound 1 | $programs/wrong/philosophers
semaphore_pool | --bound 1 | $programs/correct/semaphore_pool
bounded_buffer | --bound 1 | $programs/correct/bounded_buffer
xz | --bound 0 --points sync | xz -T2 --block-size=4KiB -0 -c $PWD/README.md"

own_folder programs
trap '[ "$engine" != slurm ] || $cluster stop "$out/c" 2>/dev/null; rm -rf "$out"' EXIT
if [ "$engine" = slurm ]; then
	$cluster start "$out/c" 4 >"$out/said" 2>&1 || skip_all "$(tail -n 1 "$out/said")"
	. "$out/c/env"
fi

# facts FILE: what is to be equal. With a bug the search ends early, so only the bug counts.
facts()
{
	python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
print("verdict", r["verdict"], "bound", r["bound"] if not r["trace"] else "-",
      "runs", r["runs"] if not r["trace"] else "-",
      "classes", r["certificate"]["classes"] if not r["trace"] else "-", "preemptions", r.get("preemptions"))' \
		"$1" 2>>"$out/said"
}

chosen=()
while IFS='|' read -r name _; do
	wanted "${name// }" "$@" && chosen+=("${name// }")
done <<<"$table"

echo "KTAP version 1"
echo "1..${#chosen[@]}"
while IFS='|' read -r name options program; do
	name=${name// }
	wanted "$name" "$@" || continue
	# shellcheck disable=SC2086 # lists of words
	"$chessctl" explore --json --progress none --strategy icb --jobs 1 $options \
		--out "$out/$name.one" -- $program >"$out/$name.one.json" 2>"$out/said"
	one=$?
	# shellcheck disable=SC2086
	"$chessctl" shard submit --json --progress none --engine "$engine" --shards 4 \
		--dir "$out/$name.shards" --strategy icb $options \
		-- $program >"$out/$name.json" 2>>"$out/said"
	many=$?
	a="exit code $one, $(facts "$out/$name.one.json")"
	b="exit code $many, $(facts "$out/$name.json")"
	echo "# $name: $b"
	[ "$one" -le 1 ] && [ "$a" = "$b" ]
	result $? "${name}_in_shards_is_as_in_one_search" "one search: $a"$'\n'"in shards:  $b"
done <<<"$table"
totals
