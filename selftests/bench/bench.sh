#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What control costs, as ratios to the same work without it. All in one VM run,
# with and without control in turns. A figure of a round is the lowest of TRIES,
# since a busy host only ever adds; a ratio is that of two figures of one round,
# and the median over ROUNDS is printed. Only the loops are measured, not start-up.
# Called by scripts/bench.sh inside the VM, as root; ends with one line "bench NAME
# RATIO" per measure. Exit 0 when all could be measured, whatever the figures.
#
# ROUNDS (default 5), BUILD (default build)

set -u
export LC_ALL=C PATH=/usr/bin:/bin:/usr/sbin:/sbin
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
ROUNDS=${ROUNDS:-5}
TRIES=3			# of what takes long, twice as many of what does not
RUNS=40			# of explore, and of the bare rate
TRACED_RUNS=10		# under strace, which is slow
programs=$BUILD/selftests/programs/bench
own=$BUILD/selftests/bench
# Where a group on an otherwise idle machine is put: the last processor.
cpu=$(($(nproc) - 1))

out=$(mktemp -d "${TMPDIR:-/tmp}/chess-bench.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
mkdir "$out/traces" || exit 1	# where no glob of ours looks

command -v strace >/dev/null || {
	echo "bench: strace is compared with, and is not there; run scripts/install-deps.sh bench" >&2
	exit 1
}

BENCH_TSC_KHZ=$("$own/tsc") || exit 3
export BENCH_TSC_KHZ

limited()    { timeout -k 5 120 "$@"; }
alone()      { limited taskset -c "$cpu" "$@"; }
controlled() { limited "$BUILD/chessctl" run --host -- "$@"; }
# The same without points that tasks note by themselves.
trapped()    { CHESS_FAST_POINTS=0 controlled "$@"; }
# While a BPF program of ours is attached to every wake-up on the machine.
watched()    { limited "$BUILD/selftests/look/cost" "$BUILD/chessctl" run --host -- "$@"; }
# With the accesses of CODE recorded, over and over: nanoseconds of the fastest run.
recorded()   { limited "$BUILD/selftests/access/repeat" -q "$@"; }
loop='i=0; while [ $i -lt 500 ]; do i=$((i + 1)); done'
# Rates come out as what the programs print: nanoseconds per run.
traced()     { limited taskset -c "$cpu" strace -f -o /dev/null "$@"; }
explored()
{
	limited "$BUILD/chessctl" explore --host --bound 9 --runs $RUNS --json --out "$out/traces" -- "$@" |
		tr '{,}' '[\n*]' | sed -n 's/.*"runs_per_second": *\([0-9.e+]*\).*/\1/p' |
		awk '{ printf "explore %.1f\n", 1e9 / $1 }'
}

# sample SERIES COMMAND...: adds what the command prints behind its name
sample()
{
	local series=$1 value

	shift
	value=$("$@" 2>"$out/err" </dev/null | sed -n 's/^[a-z_]* \([0-9.]*\)$/\1/p')
	# Less than a nanosecond is the clock of the group.
	if ! awk -v v="$value" 'BEGIN { exit !(v >= 1) }'; then
		echo "bench: '$*' gave no figure: $(head -n 3 "$out/err")" >&2
		exit 1
	fi
	echo "$value" >>"$out/$series.now"
}

median()
{
	sort -g | awk '{ v[NR] = $1 }
		END { print (NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2) }'
}

echo "$(nproc) processors, $(uname -r), median of $ROUNDS rounds, nanoseconds per operation"
for i in $(seq "$ROUNDS"); do
	for _ in $(seq $((2 * TRIES))); do
		sample getppid.bare alone "$own/getppid" 60000
		sample getppid.probed alone "$own/hold" "$own/getppid" 60000
		sample getppid.traced alone "$own/hold" -t "$own/getppid" 60000
		sample getppid.chess controlled "$own/getppid" 60000
		sample getppid.bpf watched "$own/getppid" 60000
		sample write.bare alone "$programs/point_syscall" 60000
		sample write.chess controlled "$programs/point_syscall" 60000
		sample access.chess limited "$BUILD/selftests/access/repeat" -n 1 -c PROGRAM:read_word -- "$own/access" 60000
		sample mutex.bare alone "$programs/point_function" 400000
		sample mutex.chess controlled "$programs/point_function" 400000
		sample mutex.traps trapped "$programs/point_function" 60000
		sample yield.bare alone "$programs/switch" 30000
		sample yield.probed alone "$own/hold" "$programs/switch" 30000
		sample yield.chess controlled "$programs/switch" 30000
		sample forced.chess limited "$own/forced" 30000
	done
	for _ in $(seq $TRIES); do
		sample threads.bare alone "$programs/mutex_threads" 1000000
		sample threads.chess controlled "$programs/mutex_threads" 1000000
		sample pipe.bare alone "$programs/pipe_roundtrip" 6000
		sample pipe.chess controlled "$programs/pipe_roundtrip" 3000
		sample pipe.bpf watched "$programs/pipe_roundtrip" 3000
		sample futex.bare alone "$programs/futex_roundtrip" 6000
		sample futex.chess controlled "$programs/futex_roundtrip" 3000
		sample arm.bare recorded -n 5 -b -- /bin/true
		sample arm.chess recorded -n 5 -c libc.so.6 -m 1000 -- /bin/true
		sample record.bare recorded -n 2 -b -- /bin/sh -c "$loop"
		sample record.chess recorded -n 2 -m 3000000 -- /bin/sh -c "$loop"
		sample run.bare alone "$programs/two_threads" $RUNS
		sample run.chess explored "$programs/two_threads"
		sample run.strace traced "$programs/two_threads" $TRACED_RUNS
	done
	for now in "$out"/*.now; do
		sort -g "$now" | head -n 1 >>"${now%.now}"
		rm "$now"
	done
	echo "round $i of $ROUNDS done" >&2
done

for series in "$out"/*.*; do
	printf '%-16s median %12.1f   lowest %12.1f   highest %12.1f\n' "$(basename "$series")" \
		"$(median <"$series")" "$(sort -g "$series" | head -n 1)" \
		"$(sort -g "$series" | tail -n 1)"
done

# measure NAME ABOVE BELOW WORD REFERENCE TEXT: median of ratios, beside the figure
# of the design ("most" or "least"; "-" where it has none)
lines=()
measure()
{
	local ratio met=

	ratio=$(paste "$out/$2" "$out/$3" | awk '{ print $1 / $2 }' | median)
	ratio=$(printf '%.2f' "$ratio")
	case $4 in
	most)  met=$(awk -v r="$ratio" -v w="$5" 'BEGIN { print (r <= w ? "met" : "NOT met") }') ;;
	least) met=$(awk -v r="$ratio" -v w="$5" 'BEGIN { print (r >= w ? "met" : "NOT met") }') ;;
	esac
	printf 'note %-24s %6s  %s%s\n' "$1" "$ratio" "$6" "${met:+; aim: at $4 $5, $met}"
	lines+=("bench $1 $ratio")
}

measure point_syscall getppid.chess getppid.traced most 1.5 "getppid, no switch, to one that a tracer's probes see"
measure point_syscall_raw getppid.chess getppid.bare most 2.3 "getppid, no switch, to one without any group"
measure no_control getppid.probed getppid.bare most 1.03 "getppid of others while a group exists"
measure point_syscall_object write.chess write.bare - - "write of nothing to a pipe, no switch"
measure point_function mutex.chess getppid.traced most 0.15 "mutex call, no switch, to a getppid that a tracer's probes see"
measure point_function_bare mutex.chess mutex.bare most 3 "mutex call, no switch, to a bare one, which is no syscall"
measure point_function_trap mutex.traps getppid.traced - - "the same where each call is a trap"
measure mutex_threads threads.chess threads.bare most 4 "lock and unlock of a free mutex in four threads, to bare ones"
measure access_hit access.chess getppid.traced most 1.5 "an access that is recorded, to a getppid that a tracer's probes see"
measure access_arm arm.chess arm.bare - - "run of true with traps at all accesses of libc, to one without"
measure access_record record.chess record.bare - - "run of a shell with all its accesses recorded, to one without"
measure forced_switch forced.chess yield.probed most 1.9 "a switch at every getppid, to a sched_yield switch while a group exists"
measure forced_switch_raw forced.chess yield.bare - - "a switch at every getppid, to a sched_yield switch without any group"
measure yield_switch yield.chess yield.bare - - "sched_yield switch"
measure pipe_roundtrip pipe.chess pipe.bare most 2.1 "pipe round trip"
measure futex_roundtrip futex.chess futex.bare most 2.5 "futex round trip"
measure explore_rate run.bare run.chess least 0.5 "runs per second of explore, to fork+exec+wait"
measure explore_rate_strace run.strace run.chess - - "runs per second of explore, to strace -f"

measure bpf_point getppid.bpf getppid.chess most 1.3 "a point while BPF notes wakers, to one while it does not"
measure bpf_block pipe.bpf pipe.chess most 1.3 "controlled pipe round trip while BPF notes wakers, to one while it does not"

# The same without control, of tasks that are watched and of others.
taskset -c "$cpu" "$BUILD/selftests/look/cost" >"$out/cost" 2>"$out/err" || {
	echo "bench: $BUILD/selftests/look/cost failed: $(head -n 3 "$out/err")" >&2
	exit 1
}
while read -r _ name ratio; do
	met=$(awk -v r="$ratio" 'BEGIN { print (r <= 1.3 ? "met" : "NOT met") }')
	printf 'note %-24s %6s  %s; aim: at most 1.3, %s\n' "$name" "$ratio" \
		"pipe round trip, wakers noted with BPF, to one without" "$met"
	lines+=("bench $name $ratio")
done < <(grep '^bench ' "$out/cost")
printf '%s\n' "${lines[@]}"
