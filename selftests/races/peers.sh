#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# `chessctl races` beside valgrind's helgrind and drd and a build with -fsanitize=thread, on
# programs/races/exact/: what each finds in racy programs, what each reports of race-free
# ones, and how long each takes; then what recording all accesses of their own text costs
# pigz, pbzip2 and memcached beside helgrind. Run inside the VM, as root, with the module
# loaded; "make check-apps" installs the packages and calls it.
#
# BUILD      build directory (default ../../build)
# CHESS_CHECK_OUT  directory for the tables, peers.md; without it they are comments
# LARGE      size of the input of the compressors in KB (default 256)
# ACCESSES   most that one run may have (default 8000000)
# NAMES      of the programs in programs/races/exact/; default all
# Usage: peers.sh [exact|programs]..., both without arguments; KTAP on stdout; exit 0
# passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C PATH=/usr/bin:/bin:/usr/sbin:/sbin
here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=$(realpath "${BUILD:-$here/../../build}")
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
LARGE=${LARGE:-256}
ACCESSES=${ACCESSES:-8000000}
SOURCES=$here/../programs/races/exact
PROGRAMS=$BUILD/selftests/programs/races/exact
TSAN=$BUILD/selftests/programs/races/tsan
. "$here/../ktap.sh"

for tool in "$CHESSCTL" valgrind setarch; do
	command -v "$tool" >/dev/null || skip_all "no $tool; run make check-apps"
done
[ -d "$TSAN" ] || skip_all "no programs in $TSAN; run make -C selftests/programs tsan"

out=$(mktemp -d "${TMPDIR:-/tmp}/chess-peers.XXXXXX") || exit 1
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$out"' EXIT
cd "$out" || exit 1
# shellcheck disable=SC2034 # ktap.sh shows it
ktap_output=$out/said
table=$out/peers.md

# timed COMMAND...: milliseconds go to $ms; output to $out/said
timed()
{
	local start=$EPOCHREALTIME end

	timeout -k 5 900 "$@" >"$out/said" 2>&1 </dev/null
	end=$EPOCHREALTIME
	ms=$(((${end/./} - ${start/./}) / 1000))
}

# said PATTERN: in how many lines
said() { grep -cE "$1" "$out/said"; }

tools=(none chess helgrind drd tsan)
declare -A total seen clean

# one TOOL NAME: runs it; $reports is how many races it reported
one()
{
	local program=$PROGRAMS/$2

	case $1 in
	none)	timed "$program"
		reports=0 ;;
	chess)	timed "$CHESSCTL" races --host --json --out "$out/traces" -- "$program"
		reports=$(grep -o '"first":{' "$out/said" | wc -l) ;;
	tsan)	timed setarch -R "$TSAN/$2"
		reports=$(said 'WARNING: ThreadSanitizer: data race') ;;
	*)	timed valgrind --tool="$1" "$program"
		reports=$(said 'Possible data race|Conflicting (load|store)') ;;
	esac
	total[$1]=$((${total[$1]:-0} + ms))
}

exact()
{
	local source name wanted tool racy=0 free=0 row

	{
		echo "| program | races | chess | helgrind | drd | tsan |"
		echo "|---|---|---|---|---|---|"
	} >>"$table"
	for name in ${NAMES:-$(cd "$SOURCES" && ls -- *.c *.cc)}; do
		source=$(ls "$SOURCES/${name%.*}".c*)
		name=${name%.*}
		wanted=$(grep -c '^ \* race:' "$source")
		row="| $name | $wanted"
		[ "$wanted" = 0 ] && free=$((free + 1)) || racy=$((racy + 1))
		for tool in "${tools[@]}"; do
			one "$tool" "$name"
			[ "$tool" = none ] && continue
			row+=" | $reports"
			[ "$wanted" != 0 ] && [ "$reports" != 0 ] && seen[$tool]=$((${seen[$tool]:-0} + 1))
			[ "$wanted" = 0 ] && [ "$reports" = 0 ] && clean[$tool]=$((${clean[$tool]:-0} + 1))
		done
		echo "$row |" >>"$table"
	done
	for tool in "${tools[@]:1}"; do
		echo "$tool: races found in ${seen[$tool]:-0} of $racy racy programs, none reported in" \
		     "${clean[$tool]:-0} of $free race-free ones; all took" \
		     "$(ratio "${total[$tool]}" "${total[none]}") times what they take alone" >>"$table"
	done
	for tool in "${tools[@]:2}"; do
		[ "${seen[chess]:-0}" -ge "${seen[$tool]:-0}" ]
		result $? "as many racy programs are found as by $tool"
		[ "${clean[chess]:-0}" -ge "${clean[$tool]:-0}" ]
		result $? "as many race-free programs stay without a report as with $tool"
	done
}

# slower NAME FILE COMMAND: a program from a package, FILE, alone, under helgrind, and with
# all accesses of its text recorded in one run. What the shell's COMMAND prints goes to a
# file and must stay as it is; helgrind follows to FILE.
slower()
{
	local alone helgrind ours lost events

	timed sh -c "$3 >alone"
	alone=$ms
	timed valgrind --tool=helgrind --trace-children=yes --trace-children-skip='*/perl' sh -c "$3 >other"
	helgrind=$ms
	timed "$CHESSCTL" races --host --json --runs 1 --out "$out/traces" --code "$2" \
		--max-accesses "$ACCESSES" -- /bin/sh -c "$3 >recorded"
	ours=$ms
	lost=$(sed -n 's/.*"lost":\([0-9]*\).*/\1/p' "$out/said" | head -n 1)
	events=$(sed -n 's/.*"recorded":\([0-9]*\).*/\1/p' "$out/said" | head -n 1)
	echo "$1: $alone ms alone, helgrind $(ratio "$helgrind" "$alone") times that," \
	     "recorded $(ratio "$ours" "$alone") times: ${events:-no} accesses, ${lost:-?} lost" >>"$table"
	cmp alone recorded >>"$out/said" 2>&1
	result $? "$1 has its output while it is recorded"
	[ "${lost:-1}" = 0 ] && [ "$ours" -lt "$helgrind" ]
	result $? "$1 is recorded whole, and faster than helgrind runs it"
}

# ratio A B: A / B with one decimal
ratio()
{
	local tenths=$(($1 * 10 / ($2 > 0 ? $2 : 1)))

	echo "$((tenths / 10)).$((tenths % 10))"
}

programs()
{
	head -c $((LARGE * 1024)) /bin/bash >input
	slower pigz /usr/bin/pigz "/usr/bin/pigz -p2 -n -c -b128 input"
	slower pbzip2 /usr/bin/pbzip2 "/usr/bin/pbzip2 -p2 -b1 -c -k input"
	slower memcached /usr/bin/memcached "$here/../apps/memcached.sh"
}

parts=("$@")
[ $# -gt 0 ] || parts=(exact programs)
echo "KTAP version 1"
plan=0
for part in "${parts[@]}"; do
	case $part in
	exact) plan=$((plan + 6)) ;;
	programs) plan=$((plan + 6)) ;;
	*) echo "peers: asked for '$part', but there are exact and programs" >&2; exit 1 ;;
	esac
done
echo "1..$plan"
for part in "${parts[@]}"; do
	"$part"
done
sed 's/^/# /' "$table"
[ -z "${CHESS_CHECK_OUT:-}" ] || cp "$table" "$CHESS_CHECK_OUT/peers.md"
totals
