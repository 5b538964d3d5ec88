#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Background jobs, pipelines, a here-document, a trap and wait, as shell scripts have them.
trap 'echo "usr1 seen"' USR1
(kill -USR1 $$) &
wait $!
echo "sender $?"
pids=
for n in 1 2 3 4; do
	(sleep 0.$n; seq $((n * 100)) | grep $n | sort -rn | head -n 5 | tr '\n' ' ' >"part$n"; exit $n) &
	pids="$pids $!"
done
for pid in $pids; do
	wait "$pid"
	echo "job $?"
done
cat part1 part2 part3 part4 | wc
rm part1 part2 part3 part4
seq 1000 | tee >(wc -l >counted) | awk '{ sum += $1 } END { print "sum", sum }'
wait
until [ -s counted ]; do sleep 0.1; done
cat counted <(echo "read from a substitution")
rm counted
