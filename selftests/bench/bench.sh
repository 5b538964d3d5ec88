#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What control costs, as ratios to the same work without it. All in one VM run,
# with and without control in turns. A figure of a round is the lowest of TRIES,
# since a busy host only ever adds; a ratio is that of two figures of one round,
# and the median over ROUNDS is printed. Only the loops are measured, not start-up.
# Called by scripts/bench.sh inside the VM, as root; ends with one line "bench NAME
# RATIO" per measure, and before that the rows of the table in docs/cost.md. Exit 1 when
# an aim is missed by more than noise, 3 when something could not be measured.
#
# ROUNDS (default 5), BUILD (default build)

set -u
export LC_ALL=C PATH=/usr/bin:/bin:/usr/sbin:/sbin
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
ROUNDS=${ROUNDS:-5}
TRIES=3			# of what takes long, twice as many of what does not
RUNS=40			# of the bare rate
SEARCHED=200		# of explore, with the start of the search
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
	exit 3
}

BENCH_TSC_KHZ=$("$own/tsc") || exit 3
export BENCH_TSC_KHZ

limited()    { timeout -k 5 120 "$@"; }
alone()      { limited taskset -c "$cpu" "$@"; }
# A loop that yields, on a machine so slow that it is looked into, is no livelock.
run_it=("$BUILD/chessctl" run --host --max-points 100000000 --)
controlled() { limited "${run_it[@]}" "$@"; }
# The same without points that tasks note by themselves.
trapped()    { CHESS_FAST_POINTS=0 controlled "$@"; }
# While a BPF program of ours is attached to every wake-up on the machine.
watched()    { limited "$BUILD/selftests/look/cost" "${run_it[@]}" "$@"; }
# With the accesses of CODE recorded, over and over: nanoseconds of the fastest run.
recorded()   { limited "$BUILD/selftests/access/repeat" -q "$@"; }
alone='i=0; while [ $i -lt 500 ]; do i=$((i + 1)); done'
# A task that has had company has all its accesses recorded (kmod/traps/rest.c).
loop=": & wait; $alone"
# Rates come out as what the programs print: nanoseconds per run.
traced()     { limited taskset -c "$cpu" strace -f -o /dev/null "$@"; }
# Each run with an execve, as programs have it that cannot be kept.
started()    { CHESS_FORK=no explored "$@"; }
# The time of a whole command.
timed()
{
	local start

	start=$(date +%s%N)
	limited "$@" >/dev/null 2>&1 || return
	echo "timed $(($(date +%s%N) - start))"
}
explored()
{
	limited "$BUILD/chessctl" explore --host --bound 9 --runs $SEARCHED --json --out "$out/traces" -- "$@" |
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
		exit 3
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
		sample record_alone.bare recorded -n 2 -b -- /bin/sh -c "$alone"
		sample record_alone.chess recorded -n 2 -m 3000000 -- /bin/sh -c "$alone"
		sample run.bare alone "$programs/two_threads" $RUNS
		sample run.fork alone "$programs/two_threads" $RUNS fork
		sample run.exec started "$programs/two_threads"
		sample run.chess explored "$programs/two_threads"
		sample run.strace traced "$programs/two_threads" $TRACED_RUNS
	done
	# Once: they take long.
	sample record.helgrind timed taskset -c "$cpu" valgrind --tool=helgrind /bin/sh -c "$loop"
	sample record.drd timed taskset -c "$cpu" valgrind --tool=drd /bin/sh -c "$loop"
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

# row NAME WORD AIM MEASURE COMPARED: one line for people and one of the table, of the ratios
# on stdin. WORD and AIM are those of the design ("most" or "least"; "-" where it has none). Noise
# is half of what the rounds differ by.
lines=()
missed=0
row()
{
	local name=$1 word=$2 aim=$3 ratio low high state=

	read -r ratio low high state < <(sort -g | awk -v word="$word" -v aim="$aim" '
		{ v[NR] = $1 }
		END {
			m = NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
			by = word == "most" ? m - aim : aim - m
			noise = (v[NR] - v[1]) / 2
			state = by <= 0 ? "met" : by <= noise ? "within noise" : "missed"
			if (word == "-")
				state = ""
			printf "%.2f %.2f %.2f %s\n", m, v[1], v[NR], state
		}')
	[ "$state" = missed ] && missed=$((missed + 1))
	[ "$word" = - ] && aim='' || aim="at $word $aim"
	printf 'note %-24s %6s  %s, to %s%s\n' "$name" "$ratio" "$4" "$5" "${aim:+; aim: $aim, $state}"
	echo "row | $4 | $5 | $ratio | $low to $high | $aim | $state |"
	lines+=("bench $name $ratio")
}

# measure NAME ABOVE BELOW WORD AIM MEASURE COMPARED: the ratios of two series
measure() { row "$1" "$4" "$5" "$6" "$7" < <(paste "$out/$2" "$out/$3" | awk '{ print $1 / $2 }'); }

probed="one that a tracer's probes see"
mutex="mutex call, no switch, noted by the task itself"
shell="run of a shell with all its accesses recorded"
run="runs per second of \`explore\`, two threads, $SEARCHED runs"
measure point_syscall getppid.chess getppid.traced most 1.5 "\`getppid\`, no switch" "$probed"
measure point_syscall_raw getppid.chess getppid.bare most 2.3 "\`getppid\`, no switch" "one without any group"
measure no_control getppid.probed getppid.bare most 1.03 "\`getppid\` of others while a group exists" "one without any group"
measure point_syscall_object write.chess write.bare - - "write of nothing to a pipe, no switch" "one without any group"
measure point_function mutex.chess getppid.traced most 0.15 "$mutex" "a \`getppid\` that a tracer's probes see"
measure point_function_bare mutex.chess mutex.bare most 3 "$mutex" "a bare one"
measure point_function_trap mutex.traps getppid.traced - - "mutex call, no switch, a trap" "a \`getppid\` that a tracer's probes see"
measure mutex_threads threads.chess threads.bare most 4 "a million locks and unlocks in four threads, all of which can run" "bare ones"
measure access_hit access.chess getppid.traced most 0.2 "access that is recorded" "a \`getppid\` that a tracer's probes see"
measure access_arm arm.chess arm.bare - - "run of true with traps at all accesses of libc" "one without"
measure access_record record.chess record.bare most 6 "$shell" "one without"
measure access_alone record_alone.chess record_alone.bare - - "the same where the shell never has a child" "one without"
measure access_helgrind record.chess record.helgrind most 1 "$shell" "the same under helgrind"
measure access_drd record.chess record.drd most 1 "$shell" "the same under drd"
measure forced_switch forced.chess yield.probed most 1.7 "switch at every \`getppid\`" "a switch by \`sched_yield\` while a group exists"
measure forced_switch_raw forced.chess yield.bare - - "switch at every \`getppid\`" "a switch by \`sched_yield\` without any group"
measure yield_switch yield.chess yield.bare - - "switch by \`sched_yield\`" "one without any group"
measure pipe_roundtrip pipe.chess pipe.bare most 1.5 "round trip over two pipes" "one without any group"
measure futex_roundtrip futex.chess futex.bare most 1.5 "round trip over two futexes" "one without any group"
measure explore_rate run.bare run.chess least 2 "$run" "fork, exec and wait of the program"
measure explore_rate_strace run.strace run.chess least 8 "$run" "the program under \`strace -f\`"
measure explore_rate_exec run.bare run.exec - - "the same, each run with an execve" "fork, exec and wait of the program"
measure fork_rate run.bare run.fork - - "fork and wait of the program, which starts nothing, without control" "fork, exec and wait of the program"
measure bpf_point getppid.bpf getppid.chess most 1.3 "point while BPF notes wakers" "one while it does not"
measure bpf_block pipe.bpf pipe.chess most 1.3 "controlled pipe round trip while BPF notes wakers" "one while it does not"

# The same without control, of tasks that are watched and of others.
taskset -c "$cpu" "$BUILD/selftests/look/cost" >"$out/cost" 2>"$out/err" || {
	echo "bench: $BUILD/selftests/look/cost failed: $(head -n 3 "$out/err")" >&2
	exit 3
}
while read -r _ name ratio; do
	row "$name" most 1.3 "pipe round trip, wakers noted with BPF (${name//_/ })" "one without" <<<"$ratio"
done < <(grep '^bench ' "$out/cost")
printf '%s\n' "${lines[@]}"
[ "$missed" = 0 ] || {
	echo "bench: $missed aims are missed by more than noise" >&2
	exit 1
}
