#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Proves that the record depends on the prefix only, not on the machine: the
# same two prefixes (hash_test.c) give the same hashes with 1, 2 and 4 CPUs, with
# preempt=none, voluntary and full, under load inside the VM and under load on
# the host.  Boots one VM each, so it runs on the host; "make check" calls it.
#
# RUNS   runs of each prefix in each VM (default 8)
# SHORT  not empty: each number of CPUs with one kind of preemption, not all by themselves
# BUILD  build directory (default build); KTAP on stdout; exit 0, 1 or 4 (skipped)
# Arguments go to chess-vm.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../ktap.sh
. selftests/ktap.sh
BUILD=${BUILD:-build}
RUNS=${RUNS:-8}
program=$BUILD/selftests/programs/long

for f in chess-vm selftests/determinism/hash_test selftests/programs/long; do
	[ -x "$BUILD/$f" ] || skip_all "no $BUILD/$f; run make programs"
done

out=$(mktemp -d "${TMPDIR:-/tmp}/chess-matrix.XXXXXX") || exit 1
noise=()
quiet()
{
	[ ${#noise[@]} = 0 ] || kill "${noise[@]}" 2>/dev/null
	noise=()
}
trap 'quiet; rm -rf "$out"' EXIT
trap 'exit 130' INT TERM HUP

# name | arguments of chess-vm | arguments of hash_test | how the machine describes itself
machines()
{
	if [ -n "${SHORT:-}" ]; then
		cat <<-END
		cpus_1_preempt_none|--cpus 1 --append preempt=none||Preempt: none
		cpus_2_preempt_voluntary|--cpus 2 --append preempt=voluntary||Preempt: voluntary
		cpus_4_preempt_full|--cpus 4 --append preempt=full||4 CPUs.*Preempt: full
		load_inside|--cpus 2|--load|2 CPUs
		load_on_host|--cpus 2||2 CPUs
		END
		return
	fi
	cat <<-END
	cpus_1|--cpus 1||1 CPUs
	cpus_2|--cpus 2||2 CPUs
	cpus_4|--cpus 4||4 CPUs
	preempt_none|--cpus 2 --append preempt=none||Preempt: none
	preempt_voluntary|--cpus 2 --append preempt=voluntary||Preempt: voluntary
	preempt_full|--cpus 2 --append preempt=full||Preempt: full
	load_inside|--cpus 2|--load|2 CPUs
	load_on_host|--cpus 2||2 CPUs
	END
}

hash_of()
{
	sed -n "s/^# $1: hash \([0-9a-f]*\) .*/\1/p" "$out/now"
}

spin() { while :; do :; done; }

echo "KTAP version 1"
echo "1..$(($(machines | wc -l) * 3))"
declare -A reference
while IFS='|' read -r name vm test described; do
	if [ "$name" = load_on_host ]; then
		spin & noise+=($!)
		spin & noise+=($!)
	fi
	# shellcheck disable=SC2086 # lists of words
	"$BUILD/chess-vm" --timeout 400 $vm "$@" -- bash -c \
		"echo \"# \$(nproc) CPUs, \$(uname -r), \$(dmesg | grep -o 'Dynamic Preempt: [a-z]*')\" &&
		 $BUILD/selftests/determinism/hash_test --runs $RUNS --points 1000 \
			$test -- $program" \
		>"$out/now" 2>"$out/err" </dev/null
	code=$?
	quiet
	if [ $code = 0 ] && ! grep -q "^# .*$described" "$out/now"; then
		echo "# asked for a machine with $described"
		code=1
	fi
	sed 's/^ok/# ok/; s/^not ok/# not ok/; s/^1\.\./# 1../; s/^KTAP/# KTAP/; s/^Bail out/# bail out/' "$out/now" |
		grep -v 'perturbed prefix'
	[ $code = 0 ] || tail -n 5 "$out/err" | sed 's/^/# stderr: /'
	result $code "${name}_gives_one_record_in_${RUNS}_runs"
	for prefix in default perturbed; do
		hash=$(hash_of $prefix)
		[ -n "${reference[$prefix]:-}" ] || reference[$prefix]=$hash
		echo "# $name $prefix: hash ${hash:-none}, of the first machine ${reference[$prefix]:-none}"
		[ -n "$hash" ] && [ "$hash" = "${reference[$prefix]}" ]
		result $? "${name}_gives_the_hash_of_the_first_for_${prefix}"
	done
done < <(machines)
totals
