#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Searches of real programs as shards: split, run, and merged, they say what one search says. Then
# a shard is killed at random moments, by SIGKILL and by SIGTERM, until so many kills have hit:
# nothing is lost, and nothing is counted twice. Run inside the VM, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# TIMES     kills (default 20)
# SEED      of their moments (default 1)
# Usage: shards.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=$(realpath "${BUILD:-$here/../../build}")
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
TIMES=${TIMES:-20}
PROGRAMS=$BUILD/selftests/programs
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"
# shellcheck source=selftests/json.sh
. "$here/../json.sh"

need "$CHESSCTL" "$PROGRAMS/wrong/philosophers" "$PROGRAMS/correct/semaphore_pool" \
	"$PROGRAMS/correct/bounded_buffer"
own_folder shards
cd "$out" || exit 1
RANDOM=${SEED:-1}

# shard WORD...: to be run in the background too, as its process is chessctl then
shard() { "$CHESSCTL" shard "$1" --progress none "${@:2}"; }

# numbers FILE: what has to be the same, of one search and of shards; tasks and points are those of
# the run that is shown, where one failed
numbers()
{
	local key
	local -a keys=(verdict runs complete bound)

	answer_from "$1"
	says verdict ok && keys+=(preemptions tasks points)
	for key in "${keys[@]}"; do
		look "$key"
		printf '%s=%s ' "$key" "$value"
	done
	[[ $answer =~ \"runs_by_preemptions\":\ *\[([^]]*)\] ]] && tr -d ' \n' <<<"${BASH_REMATCH[1]}"
	[[ $answer =~ \"classes\":([0-9]*) ]] && echo " classes=${BASH_REMATCH[1]}"
}

# preemptions FILE: of the run that is shown. How far a run is made smaller depends on the time that
# takes, so shards, each of which tries, may show one with fewer than one search does.
preemptions()
{
	answer_from "$1"
	look preemptions
	echo "$value"
}

# one NAME OPTION... -- PROGRAM...: in one piece
one()
{
	local name=$1

	shift
	"$CHESSCTL" explore --host --no-bpf --progress none --json --out "$out/$name.one" "$@" \
		>"$out/$name.json" 2>"$out/said" </dev/null
	numbers "$out/$name.json" >"$out/$name.numbers"
}

# parts N NAME OPTION... -- PROGRAM...: in N shards, each in a process that shares nothing but files
# with the others; what they hand in is merged
parts()
{
	local n=$1 name=$2 dir=$out/$2.$1 file id code=0

	shift 2
	mkdir "$dir" "$dir/up" || return
	shard split --host --no-bpf --shards "$n" --out "$dir/split" "$@" \
		>"$out/said" 2>&1 </dev/null || return
	[ -e "$dir/split/001.shard" ] || return
	for file in "$dir"/split/*.shard; do
		id=$(basename "$file" .shard)
		mkdir "$dir/job$id"
		cp "$file" "$dir/job$id/work.shard"
		(cd "$dir/job$id" && shard run --host --no-bpf work.shard --out here >said 2>&1 </dev/null
		 echo $? >code; mkdir "$dir/up/$id"; cp here/*.result here/*.trace "$dir/up/$id" 2>/dev/null) &
		[ "$n" -gt 4 ] || wait
	done
	wait
	cat "$dir"/job*/said >>"$out/said"
	for file in "$dir"/job*/code; do
		read -r id <"$file"
		[ "$id" = 0 ] || [ "$id" = 1 ] || return 1
	done
	shard merge --json "$dir/split/split.result" "$dir"/up/*/*.result >"$dir/merged" 2>>"$out/said" ||
		code=$?
	numbers "$dir/merged" >"$dir/numbers"
	[ "$(preemptions "$dir/merged")" -le "$(preemptions "$out/$name.json")" ] &&
		diff "$out/$name.numbers" "$dir/numbers" >>"$out/said" && return $((code > 1))
}

# Used by name.
# shellcheck disable=SC2034
{
philosophers=(--strategy icb --bound 1 --keep-going -- "$PROGRAMS/wrong/philosophers")
pool=(--strategy icb --bound 1 -- "$PROGRAMS/correct/semaphore_pool")
pool2=(--strategy icb --bound 2 -- "$PROGRAMS/correct/semaphore_pool")
buffer=(--strategy icb --bound 2 -- "$PROGRAMS/correct/bounded_buffer")
xz=(--strategy icb --bound 0 -- xz -T2 --block-size=800 -kc /usr/share/common-licenses/BSD)
}

echo "KTAP version 1"
echo "1..17"

for name in philosophers pool buffer xz; do
	declare -n command=$name
	one $name "${command[@]}"
	grep -q 'complete=true' "$out/$name.numbers"
	result $? "${name}_is_searched_to_its_end"
	parts 4 $name "${command[@]}"
	result $? "${name}_in_4_shards_is_one_search"
done
for name in philosophers pool; do
	declare -n command=$name
	parts 8 $name "${command[@]}"
	result $? "${name}_in_8_shards_is_one_search"
done

# One level after the other, and what is left over is split once more.
mkdir "$out/rounds"
shard split --host --no-bpf --shards 2 --out "$out/rounds/0" "${pool[@]}" >"$out/said" 2>&1 &&
	for i in 000 001; do
		shard run --host --no-bpf --bound 0 --out "$out/rounds/r" "$out/rounds/0/$i.shard"
	done >>"$out/said" 2>&1
[ "$(find "$out/rounds/r" -name '*.rest.shard' | wc -l)" = 2 ] &&
	shard split --shards 3 --out "$out/rounds/1" --from "$out/rounds/r/000.rest.shard" \
		--from "$out/rounds/r/001.rest.shard" >>"$out/said" 2>&1 &&
	for i in 000 001 002; do
		shard run --host --no-bpf --out "$out/rounds/s" "$out/rounds/1/$i.shard"
	done >>"$out/said" 2>&1 &&
	shard merge --json "$out"/rounds/*/*.result >"$out/rounds/merged" 2>>"$out/said" &&
	numbers "$out/rounds/merged" | diff "$out/pool.numbers" - >>"$out/said"
result $? rest_of_a_round_is_split_again
shard merge "$out"/rounds/0/*.result "$out"/rounds/r/*.result >"$out/said" 2>&1
[ $? = 4 ] && grep -q '^incomplete: .*bound 1 is not finished' "$out/said" &&
	grep -q '2 shards without a result' "$out/said"
result $? what_is_missing_is_said

# A search that explore has begun.
"$CHESSCTL" explore --host --no-bpf --progress none --runs 70 --out "$out/begun" "${pool[@]}" \
	>"$out/said" 2>&1
shard split --host --no-bpf --shards 3 --out "$out/taken" --from "$out/begun/semaphore_pool.search" \
	>>"$out/said" 2>&1 &&
	for i in 000 001 002; do
		shard run --host --no-bpf --out "$out/taken/r" "$out/taken/$i.shard"
	done >>"$out/said" 2>&1 &&
	shard merge --json "$out"/taken/*.result "$out"/taken/r/*.result >"$out/merged" 2>>"$out/said" &&
	numbers "$out/merged" | diff "$out/pool.numbers" - >>"$out/said"
result $? search_that_was_interrupted_is_split

# --- kills ---------------------------------------------------------------------

# between FROM TO: a random number
between() { echo $(($1 + (RANDOM * 32768 + RANDOM) % ($2 - $1 + 1))); }

# lives FILE DIR: runs a shard, and what it leaves over, until nothing is left
lives()
{
	local file=$1 dir=$2 pid signal ms hits=0 starts=0 handed=0

	while [ $starts -lt 1000 ]; do
		starts=$((starts + 1))
		"$CHESSCTL" shard run --host --no-bpf --progress none --out "$dir" "$file" \
			>"$out/answer" 2>&1 </dev/null &
		pid=$!
		signal=KILL
		[ $((RANDOM % 2)) = 0 ] && signal=TERM
		if [ $hits -lt "$TIMES" ]; then
			ms=$(between 200 4000)
			sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
			kill -$signal $pid 2>/dev/null && hits=$((hits + 1))
		fi
		wait $pid 2>/dev/null
		cat "$out/answer" >>"$out/said"
		if [ -e "$dir/$(basename "$file" .shard).result" ]; then
			[ -e "$dir/$(basename "$file" .shard).rest.shard" ] || break
			file=$dir/$(basename "$file" .shard).rest.shard
			handed=$((handed + 1))
		fi
	done
	echo "# $hits kills, $starts starts, $handed times a rest was handed back"
	[ $hits -ge "$TIMES" ] || [ -e "$dir/$(basename "$file" .shard).result" ]
}

one pool2 "${pool2[@]}"
shard split --host --no-bpf --shards 2 --out "$out/cut" "${pool2[@]}" >>"$out/said" 2>&1
lives "$out/cut/000.shard" "$out/lives" && lives "$out/cut/001.shard" "$out/lives"
result $? killed_shards_come_to_their_end
shard merge --json "$out/cut/split.result" "$out"/lives/*.result >"$out/merged" 2>>"$out/said" &&
	numbers "$out/merged" | diff "$out/pool2.numbers" - >>"$out/said"
result $? nothing_is_lost_or_counted_twice
shard merge --json "$out/cut/split.result" "$out"/lives/*.result "$out"/lives/*.result \
	>"$out/merged" 2>>"$out/said" &&
	numbers "$out/merged" | diff "$out/pool2.numbers" - >>"$out/said"
result $? result_that_is_there_twice_counts_once

# --- refusals ------------------------------------------------------------------

cp "$PROGRAMS/correct/semaphore_pool" "$out/prog"
shard split --host --no-bpf --shards 2 --strategy icb --bound 1 --out "$out/own" -- "$out/prog" \
	>"$out/said" 2>&1
cp "$PROGRAMS/correct/bounded_buffer" "$out/prog.new" && mv "$out/prog.new" "$out/prog"
shard run --host --out "$out/own/r" "$out/own/000.shard" >"$out/said" 2>&1
[ $? = 2 ] && grep -q "is for another '$out/prog': its build-id is" "$out/said"
result $? another_program_is_refused

totals
