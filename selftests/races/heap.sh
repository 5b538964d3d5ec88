#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Holds what chessctl races says of heap.c against its source: where the memory was allocated
# and freed, where the two accesses are, and all functions on the way, by lines. Run inside
# the VM, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# Usage: heap.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

# shellcheck disable=SC2154 # what the files below set
here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
PROGRAMS=$BUILD/selftests/races
. "$here/../ktap.sh"
. "$here/../json.sh"
. "$here/../expect.sh"

prepare heap

# Lines of heap.c by their marks.
declare -A line=()
number=0
while IFS= read -r text; do
	number=$((number + 1))
	[[ $text =~ /\*\ ([a-z_\ ]+)\ \*/$ ]] && line[${BASH_REMATCH[1]}]=$number
done <"$here/heap.c"

at()
{
	echo "$1() at heap.c:${line[${2:-$1}]}"
}

# expected HOW SIZE: the report of the race on a piece that was allocated so, of T0 and T1
expected()
{
	echo "race on $2 bytes allocated by T0 in $(at piece "$1"), byte 24"
	echo "  T0   allocates $2 bytes in $(at piece "$1")"
	echo "       called by $(at new_node), $(at main)"
	[ -z "$freed" ] || echo "  T0   frees $2 bytes in $(at main free)"
	echo "  T$reader   reads 8 bytes in $(at load)"
	echo "       called by $(at get_member), $(at race), $(at "$caller" "$call")$outer"
	echo "  T$((reader + 1))   writes 8 bytes in $(at store)"
	echo "       called by $(at set_member), $(at writer)"
}

# seen COMMAND ARG...: the same of what it prints; a static program has more outside of main()
seen()
{
	timeout -k 5 200 "$CHESSCTL" "$@" >"$out/said" 2>&1 </dev/null
	sed -n 's/, \(__libc_start\|start_thread\).*//; /^race on .* byte 24$/,/in between/{/in between/!p}' \
		"$out/said"
}

# check WHAT HOW SIZE PROGRAM [ARG...]
check()
{
	local what=$1 how=$2 size=$3 bad=0

	shift 3
	same "report" "$(expected "$how" "$size")" \
		"$(seen races --host --runs 1 --out "$traces" -- "$@")"
	result $bad "$what"
}

# traces: where they go; freed: not empty where the piece was; reader: task number;
# caller and call: who called race() at which mark; outer: who called that
reset()
{
	traces=$out/t freed='' reader=0 caller=main call='main again' outer=''
}

echo "KTAP version 1"
echo "1..21"
reset

# 104 bytes and 8 in front are 112, a multiple of 16: the piece is as long as what was asked
# for, however it was. The text and its zero are 69 bytes, the piece 80 less 8.
for how in malloc calloc realloc grown none array memalign aligned_alloc valloc \
	   posix_memalign; do
	check "$how" $how 104 "$PROGRAMS/heap" $how
done
check "malloc that the C library calls" strdup 72 "$PROGRAMS/heap" strdup
# 104 times 8192 are 851968; with 16 in front, in pages, 209 * 4096, and 16 less
check "a piece that is mapped" large 856048 "$PROGRAMS/heap" large

freed=1 traces=$out/freed
check "a piece that was given back" malloc 104 "$PROGRAMS/heap" freed
bad=0
# That it is used behind its free() is another bug, which has a trace, too.
same "from the trace" "$(expected malloc 104)" "$(seen show "$traces"/*-race-*.trace)"
result $bad "a trace keeps it"

reset
reader=1 caller=in_child call='in_child' outer=", $(at main 'main early')"
check "a piece that a process allocated for its child" malloc 104 "$PROGRAMS/heap" early

reset
for how in malloc calloc posix_memalign; do
	check "$how of a static program" $how 104 "$PROGRAMS/heap-static" $how
done

bad=0
seen races --host --runs 3 --out "$out/t" -- "$PROGRAMS/heap" forked >"$out/block"
grep -q 'no race in 3 runs' "$out/said" || bad=1
result $bad "parent and child have memory of their own"

# The run that is repeated for stacks makes more accesses: said, and none is shown.
printf '\0' >"$out/count"
seen races --host --runs 1 --out "$out/t" -- "$PROGRAMS/heap" drift "$out/count" >"$out/block"
bad=0
grep -q 'could not be repeated exactly' "$out/said" || bad=1
grep -q "called by $(at get_member)" "$out/block" && bad=1
grep -q "T0   reads 8 bytes in $(at load)" "$out/block" || bad=1
result $bad "accesses of another run have no stacks"

printf '\0' >"$out/count"
bad=0
"$CHESSCTL" races --host --runs 1 --json --out "$out/t" -- "$PROGRAMS/heap" freed \
	>"$out/json" 2>"$out/said"
# One line, without the blanks in front of each line.
answer_from <(sed 's/^ *//' "$out/json" | tr -d '\n')
for part in '"piece":{"allocated":{"task":0,' "heap.c\",\"line\":${line[malloc]}," \
	    "\"callers\":[\"$(at new_node)\",\"$(at main)\"]},\"freed\":{\"task\":0," \
	    "\"callers\":[\"$(at get_member)\",\"$(at race)\",\"$(at main 'main again')\"]"; do
	[[ $answer == *"$part"* ]] && continue
	echo "# no $part"
	bad=1
done
result $bad "JSON has it, too"
