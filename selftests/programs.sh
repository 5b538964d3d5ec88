#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Holds chessctl against programs/: each wrong program must be found with the
# verdict and the number of preemptions its comment expects, and its trace must
# replay; each correct one must end ok, complete, after exactly the expected number
# of runs at bounds 0, 1 and 2. Run inside the VM, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory with selftests/programs/ in it (default ../build)
# TIMES     replays per trace (default 100)
# Usage: programs.sh [NAME...]; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
TIMES=${TIMES:-100}
PROGRAMS=$BUILD/selftests/programs
LIMIT=300		# seconds one chessctl may take

skip()
{
	echo "KTAP version 1"
	echo "1..0 # SKIP $1"
	exit 4
}

[ -x "$CHESSCTL" ] || skip "no chessctl at $CHESSCTL; set CHESSCTL"
[ -d "$PROGRAMS" ] || skip "no programs in $PROGRAMS; run make -C selftests/programs"

out=$(mktemp -d "${TMPDIR:-/tmp}/chess-programs.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT

# value of KEY in the JSON object in FILE: a string, number or word. The keys we want
# come before any nested object, so the first one is it.
json()
{
	tr '{,}' '[\n*]' <"$2" |
		sed -n 's/^[[:space:]]*"'"$1"'"[[:space:]]*:[[:space:]]*"\{0,1\}\([^"]*[^"[:space:]]\).*/\1/p' |
		sed 's,\\/,/,g' | head -n 1
}

# KEY=VALUE of the expect line of a program's source
expected()
{
	sed -n 's/^ \* expect: .*\<'"$1"'=\([^ ]*\).*/\1/p' "$2"
}

n=0 passed=0 failed=0

# result STATUS NAME: one line of KTAP; what chessctl said goes in front when it failed
result()
{
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		passed=$((passed + 1))
		echo "ok $n $2"
		return
	fi
	failed=$((failed + 1))
	for f in "$out/json" "$out/err"; do
		[ -s "$f" ] && tail -n 20 "$f" | sed 's/^/# /'
	done
	echo "not ok $n $2"
}

# same WHAT EXPECTED SEEN: says it when they differ
same()
{
	[ "$2" = "$3" ] && return 0
	echo "# $1: expected $2, seen ${3:-nothing}"
	return 1
}

chessctl()
{
	timeout -k 5 "$LIMIT" "$CHESSCTL" "$@" >"$out/json" 2>"$out/err" </dev/null
}

wrong()
{
	src=$here/programs/wrong/$1.c
	prog=$PROGRAMS/wrong/$1
	bad=0

	chessctl explore --host --bound 2 --json --out "$out/$1" -- "$prog"
	same "exit code of explore" 1 $? || bad=1
	same verdict "$(expected verdict "$src")" "$(json verdict "$out/json")" || bad=1
	same preemptions "$(expected preemptions "$src")" "$(json preemptions "$out/json")" || bad=1
	trace=$(json trace "$out/json")
	result $bad "wrong $1 is found"

	bad=0
	if [ -f "$trace" ]; then
		chessctl replay --host --times "$TIMES" --json "$trace"
		same "exit code of replay" 1 $? || bad=1
		same verdict "$(expected verdict "$src")" "$(json verdict "$out/json")" || bad=1
		same "identical records" "$TIMES" "$(json identical "$out/json")" || bad=1
	else
		echo "# no trace ${trace:-named} to replay"
		bad=1
	fi
	result $bad "wrong $1 replays $TIMES times"
	rm -rf "${out:?}/$1"
}

correct()
{
	src=$here/programs/correct/$1.c
	prog=$PROGRAMS/correct/$1
	runs=$(expected runs "$src")

	for bound in 0 1 2; do
		bad=0
		chessctl explore --host --bound $bound --json --out "$out/$1" -- "$prog"
		same "exit code" 0 $? || bad=1
		same verdict ok "$(json verdict "$out/json")" || bad=1
		same complete true "$(json complete "$out/json")" || bad=1
		same runs "$(echo "$runs" | cut -d, -f$((bound + 1)))" \
			"$(json runs "$out/json")" || bad=1
		result $bad "correct $1 has the modelled runs at bound $bound"
		rm -rf "${out:?}/$1"
	done
}

# names KIND [NAME...]: the programs of a kind, only those asked for if any
names()
{
	kind=$1
	shift
	for src in "$here/programs/$kind"/*.c; do
		name=$(basename "$src" .c)
		[ $# -eq 0 ] && echo "$name"
		for asked; do
			[ "$asked" = "$name" ] && echo "$name"
		done
	done
}

wrongs=$(names wrong "$@")
corrects=$(names correct "$@")
count=$(($(echo "$wrongs" | grep -c .) * 2 + $(echo "$corrects" | grep -c .) * 3))
[ "$count" -gt 0 ] || skip "no program named $*"

echo "KTAP version 1"
echo "1..$count"
for name in $wrongs; do
	wrong "$name"
done
for name in $corrects; do
	correct "$name"
done
echo "# Totals: pass:$passed fail:$failed xfail:0 xpass:0 skip:0 error:0"
[ "$n" -eq "$count" ] && [ "$failed" -eq 0 ]
