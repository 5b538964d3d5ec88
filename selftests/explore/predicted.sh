#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs that a search does not make, as it is known what they would do: with --no-predict each of
# them is made and compared event by event with that. Both searches go through the same schedules.
# Run inside the VM, as root, with the module loaded.
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
programs=$BUILD/selftests/programs

need "$chessctl" "$programs/correct/rwlock" "$programs/signal_last"
own_folder predicted

# number NAME FILE: a number of the certificate
number()
{
	tr -d ' \n' <"$2" | sed -n 's/.*"certificate":{.*"'"$1"'":\([0-9]*\).*/\1/p'
}

# search POINTS PROGRAM [OPTION...]: into $out/said
search()
{
	local points=$1 name=$2

	shift 2
	"$chessctl" explore --host --no-bpf --json --out "$out" --points "$points" \
		--strategy icb --reduce dpor --bound 2 "$@" -- "$programs/$name" \
		>"$out/said" 2>"$out/errors"
}

# compare POINTS PROGRAM: one test
compare()
{
	local code runs predicted classes

	search "$1" "$2"
	code=$?
	runs=$(number runs "$out/said") predicted=$(number predicted "$out/said")
	classes=$(number classes "$out/said")
	search "$1" "$2" --no-predict
	[ $? = $code ] && [ $code = 0 ] && [ "$(number unsound "$out/said")" = 0 ] &&
		[ "$(number classes "$out/said")" = "$classes" ] &&
		[ "$(number predicted "$out/said")" = 0 ] &&
		[ "$(number runs "$out/said")" = $((runs + predicted)) ]
	result $? "${2#*/}_${1//,/_}" "$runs runs, $predicted predicted, $classes classes"
	all=$((all + predicted))
}

# Threads with locks, conditions, semaphores and pipes. Where something has a time limit or yields
# hardly anything is predicted; these are in the suite correct.
names="barrier bounded_buffer broadcast commit_first condvar_while epoll epoll_drain eventfd
eventfd_sleeper lock_order mutex_again mutex_once mutex_twice once pipes rwlock semaphore_order
socketpair trylock"
all=0

accesses="bounded_buffer commit_first mutex_twice rwlock semaphore_pool"

echo "KTAP version 1"
echo "1..27"
for name in $names; do
	compare sync,syscalls "correct/$name"
done
for name in $accesses; do
	compare sync,syscalls,races "correct/$name"
done
# Its last thread sends a signal, so runs are predicted beyond that or not at all.
before=$all
compare sync,syscalls signal_last
[ "$all" -gt "$before" ]
result $? runs_with_a_signal_are_predicted "$((all - before))"
[ $all -gt 200 ]
result $? there_are_such_runs "$all"

totals
