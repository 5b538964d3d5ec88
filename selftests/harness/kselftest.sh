#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Builds some of the kernel's own selftests from Debian's linux-source-6.12 and has chessctl test
# search them: at bound 0 each case has the result that it has alone, and at bound 1 none
# fails within the time that it has. What is printed is read by the kernel's kunit_parser.py, too.
# Runs on the host, the programs in the VM. What is unpacked and built lies in BUILD/kselftest.
#
# BUILD   build directory (default ../../build)
# TIME    seconds each case is searched at bound 1 (default 4)
# LIMIT   seconds for all cases at each bound (default 900)
# Usage: kselftest.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
top=$(cd "$here/../.." && pwd) || exit 1
BUILD=${BUILD:-$top/build}
TIME=${TIME:-4}
LIMIT=${LIMIT:-900}
source=/usr/src/linux-source-6.12.tar.xz
work=$BUILD/kselftest
tree=$work/linux-source-6.12/tools/testing
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"

[ -r "$source" ] || skip_all "no $source; install the package linux-source-6.12"
command -v python3 >/dev/null || skip_all "no python3"
need "$BUILD/chessctl" "$BUILD/chess-vm" "$BUILD/selftests/harness/like"
cd "$top" || exit 1

# Folder and programs. Those of clone3, mqueue and membarrier want libraries or headers that
# Debian 12 has not; pidfd_test and pidfd_poll_test take longer than a minute in an emulated VM.
targets='filesystems/eventfd eventfd_test
pidfd pidfd_open_test pidfd_fdinfo_test pidfd_getfd_test pidfd_wait
futex/functional futex_wait futex_wait_timeout futex_wait_wouldblock futex_wait_uninitialized_heap
futex/functional futex_wait_private_mapped_file futex_requeue futex_waitv
futex/functional futex_requeue_pi_mismatched_ops
rseq basic_test
sigaltstack sas
splice default_file_splice_read
timers nanosleep posix_timers
filesystems/epoll epoll_wakeup_test'

mkdir -p "$work/bin" || exit 1
if [ ! -e "$work/.unpacked" ]; then
	tar xf "$source" -C "$work" linux-source-6.12/tools linux-source-6.12/scripts/subarch.include \
		>&2 || skip_all "$source cannot be unpacked"
	touch "$work/.unpacked"
fi
: >"$work/bin/kselftest-list.txt"
while read -r folder programs; do
	mkdir -p "$work/bin/$folder"
	make -k -s -C "$tree/selftests/$folder" OUTPUT="$work/bin/$folder" KHDR_INCLUDES= all >&2 2>&1
	for program in $programs; do
		echo "$folder:$program" >>"$work/bin/kselftest-list.txt"
	done
done <<<"$targets"

# search BOUND ARG...: all cases, JSON in $work/out/BOUND.json
search()
{
	local bound=$1

	shift
	rm -rf "$work/out-$bound"
	mkdir -p "$work/out-$bound"
	# What chessctl says when it is interrupted is all it knows by then.
	"$BUILD/chess-vm" --cpus 2 --timeout $((LIMIT + 200)) --outbox "$work/out-$bound" -- \
		bash -c 'timeout -s INT -k 100 '"$LIMIT"' "$@" >'"$work/out-$bound"'/json' sh \
		"$BUILD/chessctl" test --host --json --no-bpf --points all --strategy icb --no-early \
		--out "$work/out-$bound" --bound "$bound" "$@" -- "$work/bin" >&2
}

# judge BOUND: a row a case on stdout: status, name, why
judge()
{
	python3 - "$work/out-$1/json" <<'EOF'
import json, sys
for program in json.load(open(sys.argv[1]))["programs"]:
    for case in program["cases"] or [program]:
        name = program["name"] + ("." + case["name"] if program["cases"] else "")
        alone = (case.get("alone") or {}).get("failed")
        why = (case["why"] or "").replace("\n", " ")
        bad = case["result"] == "error" or (case["result"] == "fail" and not alone)
        print("%d|%s|%s|%s" % (bad, name, case["result"], why))
EOF
}

search 0 --time 30
search 1 --time "$TIME"
judge 0 >"$work/rows-0"
judge 1 >"$work/rows-1"
"$BUILD/chess-vm" --timeout 300 -- "$BUILD/chessctl" test --host --out /tmp/t --bound 1 -- \
	"$BUILD/selftests/harness/like" >"$work/like.ktap"

echo "KTAP version 1"
echo "1..$(($(cat "$work/rows-0" "$work/rows-1" | wc -l) + 3))"
for bound in 0 1; do
	while IFS='|' read -r bad name what why; do
		[ "$what" = skip ] && bad=skip
		result "$bad" "bound $bound: $name is $what" "$why"
	done <"$work/rows-$bound"
	[ "$(cut -d'|' -f2 "$work/rows-$bound" | cut -d. -f1 | sort -u | wc -l)" = \
		"$(wc -l <"$work/bin/kselftest-list.txt")" ]
	result $? "bound $bound: no program is missing"
done
python3 - "$tree/kunit" "$work/like.ktap" >"$work/parsed" 2>&1 <<'EOF'
import sys
sys.path.insert(0, sys.argv[1])
import kunit_parser
test = kunit_parser.parse_run_tests(open(sys.argv[2]).read().splitlines())
c = test.counts
print("parsed: %d passed, %d failed, %d skipped, %d errors" % (c.passed, c.failed, c.skipped, c.errors))
EOF
grep -q '^parsed: 3 passed, 4 failed, 1 skipped, 0 errors$' "$work/parsed"
result $? 'kunit_parser.py reads the results' "$(tail -n 5 "$work/parsed")"
totals
