#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# chessctl shard submit on this machine, with the runs of a simulated program (shard_sim), and
# simulated clusters. selftests/slurm has it with engines.

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${CHESS_BUILD:-$here/../../build}" && pwd) || exit 1
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"
chessctl=$build/chessctl
sim=$build/selftests/slurm/shard_sim
need "$chessctl" "$sim" "$build/selftests/scale/scale_sim"
out=$(mktemp -d) || exit 1
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$out"' EXIT
ktap_output=$out/said
cd "$out" || exit 1
unset CHESS_VM

export CHESS_SHARD=$sim SHARD_SIM="3 3 3 0"
alone=$("$sim" alone)

echo "KTAP version 1"
echo "1..9"

# equal NAME CODE FILE: what was merged is what one search has found
equal()
{
	local got

	got=$(sed -n 's/^  "runs":\([0-9]*\),/\1 runs,/p; s/^    "classes":\([0-9]*\),/ \1 classes/p' "$3" | tr -d '\n')
	[ "$2" = 0 ] && [ "$got" = "$alone" ]
	result $? "$1" "exit code $2, $got; alone $alone"
}

# refused NAME CODE SENTENCE ARG...: one sentence
refused()
{
	local name=$1 code=$2 sentence=$3 got

	shift 3
	"$chessctl" shard submit "$@" >said 2>&1
	got=$?
	[ $got = "$code" ] && [ "$(wc -l <said)" = 1 ] && grep -qF -- "$sentence" said
	result $? "$name" "exit code $got"
}

"$chessctl" shard submit --json --progress none --shards 3 --dir a --share 0.2 --share-max 1 \
	-- prog >a.json 2>said
equal shards_are_as_one_search $? a.json

# Killed three times, then it continues from the folder.
SHARD_SIM="3 3 3 2000"
"$chessctl" shard submit --shards 2 --dir b --share 0.2 --share-max 1 -- prog >/dev/null 2>&1 &
for _ in 1 2 3; do
	sleep 0.4
	kill -KILL $! && wait $! 2>/dev/null
	"$chessctl" shard submit --json --progress none --resume b >b.json 2>said &
done
wait $!
equal it_continues_from_the_folder $? b.json

# A second one for the same folder.
SHARD_SIM="3 3 3 5000"
"$chessctl" shard submit --progress none --shards 2 --dir c -- prog >/dev/null 2>said &
until [ -e c/cut/first ]; do sleep 0.1; done
refused one_at_a_time 2 "another chessctl hands out the shards" --resume c
kill -INT $!
wait $!
[ $? = 4 ] && grep -q "to continue: chessctl shard submit --resume" said
result $? a_signal_ends_it_with_what_was_done

refused the_folder_is_that_of_a_search 2 "has no search.json" --resume "$out"
refused a_folder_is_used_once 2 "continue that with --resume" --dir a -- prog
refused an_engine_that_there_is 2 "choose one of: local, slurm, parallel" --engine x --dir d -- prog
echo x >a/search.json
refused a_damaged_folder 2 "is damaged" --resume a

"$build/selftests/scale/scale_sim" 4 3 3 workers 10,100,2000 lost 10 slow 10 >said
[ $? = 0 ] && [ "$(grep -c '| equal |' said)" = 3 ]
result $? no_run_is_missing_on_simulated_clusters

totals
