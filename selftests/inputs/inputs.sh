#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A program that prints time, pids, random numbers, addresses, directory order and
# environment (inputs_show.c) prints the same in every run. One result per source:
# under "chessctl run", one process after the other, so nothing is left of the run
# before but the system. Then inputs_test for what the library promises beyond that.
# Run inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build)
# COUNT  runs (default 20)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
BUILD=$(realpath "${BUILD:-build}")
COUNT=${COUNT:-20}
export COUNT
show=$BUILD/selftests/inputs/inputs_show

skip()
{
	echo "KTAP version 1"
	echo "1..0 # SKIP $1"
	exit 4
}

for f in "$BUILD/chessctl" "$show" "$BUILD/selftests/inputs/inputs_test"; do
	[ -x "$f" ] || skip "no $f; run make programs"
done

out=$(mktemp -d "${TMPDIR:-/tmp}/chess-inputs.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
cd "$out" || exit 1
# chess-vm boots without; what a user's machine has must not be seen.
echo 2 >/proc/sys/kernel/randomize_va_space || exit 1

ended=0
for i in $(seq "$COUNT"); do
	"$BUILD/chessctl" run --host -- "$show" >"out.$i" 2>err </dev/null && ended=$((ended + 1)) ||
		echo "# run $i: exit code $?: $(head -n 3 err)"
	# Takes pids, time and random numbers in between.
	mktemp -u >"other.$i"
	# As if memory had been short: files and directories are looked for anew.
	[ $((i % 5)) != 0 ] || echo 2 >/proc/sys/vm/drop_caches
done

# One process for all, since each costs a second on a busy host without KVM. A source
# is its name and which of that name it is.
awk -v count="$COUNT" -v ended="$ended" '
	FNR == 1 { files++; delete n }
	{
		name = $1 (++n[$1] > 1 ? "#" n[$1] : "")
		if (files == 1)
			order[++names] = name
		if (!seen[name, $0]++) {
			kinds[name]++
			if (kinds[name] <= 3)
				sample[name] = sample[name] "#   " substr($0, 1, 150) "\n"
		}
		total[name]++
	}
	function result(good, what) {
		printf "%s %d %s\n", good ? "ok" : "not ok", ++number, what
		good ? passed++ : failed++
	}
	END {
		print "KTAP version 1"
		print "1.." names + 2
		result(ended == count && names > 50, count "_runs_end")
		for (i = 1; i <= names; i++) {
			name = order[i]
			if (kinds[name] > 1 || total[name] != count)
				printf "# in %d of %d runs, %d different ones:\n%s", total[name],
				       count, kinds[name], sample[name]
			result(kinds[name] == 1 && total[name] == count, name)
		}
		print number, passed + 0, failed + 0 >"sums"
	}' out.*
read -r n passed failed <sums

"$BUILD/selftests/inputs/inputs_test" >test.ktap 2>&1
code=$?
sed 's/^/# /' test.ktap
if [ $code = 0 ]; then
	echo "ok $((n + 1)) inputs_test"
	passed=$((passed + 1))
else
	echo "not ok $((n + 1)) inputs_test"
	failed=$((failed + 1))
fi
echo "# Totals: pass:$passed fail:$failed xfail:0 xpass:0 skip:0 error:0"
[ "$failed" = 0 ]
