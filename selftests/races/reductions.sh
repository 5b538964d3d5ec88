#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What the reductions must allow for. What a task accesses while it alone can go on is in no
# record, also where accesses are points: dpor finds each order of interleave.c, and the default
# goes on with reductions in completed.c. A wait on a condition ends with a wait for the mutex,
# in the order in which tasks come: relock.c. A join that does not wait, tried.c, finds a thread
# that has ended or one that has not; a thread that ends leaves a robust mutex to others; the record
# says which thread a join is with. What a system call writes to memory, filled.c, is in an order
# with what others read there. pthread_cancel() cancels after the last system call that it makes:
# cancelled.c. An owner of a mutex may end with it, or give it back in a step of which little is
# known: either of two waiters may be the next one, handed.c.
#
# And what they are for: thousands of operations that concern no other task cost no run, of a
# thread, private.c, and of a process that shares no memory, apart.c. Run inside the VM, as root,
# with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# LIMIT     seconds a search may take (default 200)
# Usage: reductions.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
# shellcheck disable=SC2034 # said.sh reads it
LIMIT=${LIMIT:-200}
INTERLEAVE=$BUILD/selftests/races/interleave
COMPLETED=$BUILD/selftests/races/completed
RELOCK=$BUILD/selftests/races/relock
TRIED=$BUILD/selftests/races/tried
FILLED=$BUILD/selftests/races/filled
CANCELLED=$BUILD/selftests/races/cancelled
HANDED=$BUILD/selftests/races/handed
PRIVATE=$BUILD/selftests/races/private
APART=$BUILD/selftests/races/apart
. "$here/../ktap.sh"
# shellcheck source=selftests/said.sh
. "$here/../said.sh"

need "$CHESSCTL" "$INTERLEAVE" "$COMPLETED" "$RELOCK" "$TRIED" "$FILLED" "$CANCELLED" \
	"$HANDED" "$PRIVATE" "$APART"
own_folder reductions

# search STRATEGY BOUND ORDER
search()
{
	chess explore --host --no-bpf --strategy "$1" ${2:+--bound "$2"} --reduce dpor \
		--out "$out/t" -- "$INTERLEAVE" "$3"
}

# Of these orders the runs that look for races, which come first, show none.
orders="abababab bbbabaaa baababba"

echo "KTAP version 1"
echo "1..31"
for order in $orders; do
	search dfs '' "$order"
	said 1 '^assert: '
	result $? "dfs finds the order $order"
done
# Of b after three tickets, and of a after one.
search icb 2 bbbabaaa
said 1 '^assert: '
result $? "icb finds the order bbbabaaa, which takes two preemptions"
search dfs '' never
said 0 '^ok: no bug in any schedule'
result $? "dfs ends where there is nothing to find"
# In the same state as in another run, a thread has passed fewer points if it was alone.
chess explore --host --no-bpf --out "$out/t" -- "$COMPLETED"
said 0 '^ok: no bug (with at most 2 preemptions|in any schedule)' 'reduce dpor'
result $? "the default keeps its reductions"
chess explore --host --no-bpf --out "$out/t" -- "$CANCELLED"
said 0 '^ok: no bug (with at most 2 preemptions|in any schedule)' 'reduce dpor'
result $? "so does a search with a thread that is cancelled"
# One order of the two that wait for the mutex is not the other one.
chess explore --host --no-bpf --points sync,syscalls --strategy icb --bound 4 --reduce hb \
	--out "$out/t" -- "$RELOCK"
said 0 '^ok: no bug with at most 4 preemptions'
result $? "so does a search with waits on a condition"
for reduce in hb dpor; do
	for which in ended runs left held detached; do
		chess explore --host --no-bpf --points sync,syscalls --strategy dfs \
			--reduce "$reduce" --out "$out/t" -- "$TRIED" "$which"
		said 1 '^assert: '
		result $? "$reduce finds what main tries: $which"
	done
done
# By the pthread_t: that of each join is one that an event before it gave a new thread.
"$CHESSCTL" run --host --record "$out/joins" -- "$COMPLETED" >"$out/said" 2>&1 &&
	awk '/^event [0-9]+ spawn /{ sub(/.* arg=/, ""); made[$1] = 1 }
	     / op=join /{ sub(/.* object=address:/, ""); joins++; wrong += !made[$1] }
	     END { exit !joins || wrong }' "$out/joins"
result $? "the record says which thread a join is with"
# One preemption for the read before the call, two for the turns. Without reductions it is found
# after some 1600 runs, so it is there.
chess explore --host --no-bpf --points sync,syscalls,races --strategy icb --bound 3 --reduce hb \
	--out "$out/t" -- "$FILLED" 0 aabbab
said 1 '^assert: '
result $? "hb finds a read before a system call that writes there"
for how in dead inside; do
	chess explore --host --no-bpf --points sync,syscalls --strategy icb --bound 1 --reduce hb \
		--out "$out/t" -- "$HANDED" "$how"
	said 1 '^assert: '
	result $? "hb finds both waiters for a mutex handed over: $how"
done

# runs_below N: the search took fewer runs
runs_below()
{
	awk -v n="$1" '$2 == "runs" || $2 == "runs," { exit !($1 < n) }' "$out/said"
}

# Three orders matter: which of the two adds first, and that both have read before either adds.
for threads in 1 8; do
	chess explore --host --no-bpf --out "$out/t" -- "$PRIVATE" "$threads" 4000 wrong
	said 1 '^assert: ' && runs_below 11
	result $? "the default finds a bug beside $threads with 4000 pairs of a lock of its own"
	chess explore --host --no-bpf --out "$out/t" -- "$PRIVATE" "$threads" 4000 right
	said 0 '^ok: no bug in any schedule' && runs_below 50
	result $? "and is complete where there is none, with $threads"
done
# What the processes have in common: who creates, writes, ends, and waits.
chess explore --host --no-bpf --out "$out/t" -- "$APART" bug
said 1 '^assert: ' && runs_below 11
result $? "the default finds a bug of two processes beside 1,300 operations of their own"
chess explore --host --no-bpf --out "$out/t" -- "$APART"
said 0 '^ok: no bug in any schedule' && runs_below 150
result $? "and is complete where there is none"
# By dpor alone each order once or so: two processes write, end, and are waited for.
chess explore --host --no-bpf --points sync,syscalls --strategy dfs --reduce dpor --out "$out/t" \
	-- "$APART"
said 0 '^ok: no bug in any schedule' && runs_below 50
result $? "and so is a search without a bound, in fewer runs"
# Three branches or so: both accesses of one thread, and the store of the other one before them.
chess explore --host --no-bpf --explain --out "$out/t" -- "$PRIVATE" 1 4000 right
said 0 '^[0-9]+ branches within the bound, by the operations whose order they reverse:$' \
	'^ +[0-9]+ +[0-9]+ %  lock [^ ]+ at [a-z_]+\(\) at private.c:[0-9]+$' \
	'^ +[0-9]+ +[0-9]+ %  --no-preempt-in private:[a-z_]+$'
result $? "explain says which operations have branches, and in which functions they are"
chess explore --host --no-bpf --strategy icb --explain --out "$out/t" -- "$PRIVATE" 1 1 right
said 2 "--explain is about the branches that --reduce dpor takes; leave out --strategy, or give both"
result $? "it is refused where there is no such reduction"
totals
