#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Holds chessctl test against programs with tests: which cases there are, how each ends, its
# trace, KTAP, JSON, JUnit's XML and exit codes. Run inside the VM with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# PACKAGES  y: also programs with GoogleTest, Check and cmocka ("make packages")
# Usage: harness.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
BIN=$BUILD/selftests/harness
LIMIT=400
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"
# shellcheck source=selftests/said.sh
. "$here/../said.sh"

need "$CHESSCTL" "$BIN/like" "$BIN/account" "$BIN/structures" "$BIN/wrong" "$BIN/tap"
[ -z "${PACKAGES:-}" ] || need "$BIN/gtest" "$BIN/check" "$BIN/cmocka"
own_folder harness
count=0
planned=28
[ -z "${PACKAGES:-}" ] || planned=34

# results NAME CODE: the lines of results and plans are those on stdin, and so is the exit code
results()
{
	local bad=0

	count=$((count + 1))
	cat >"$out/expected"
	grep -E '^ *((not )?ok |1\.\.|KTAP|# Subtest|# Totals)' "$out/said" >"$out/seen"
	[ "$code" = "$2" ] || { bad=1; echo "exit code $code" >>"$out/said"; }
	diff -u "$out/expected" "$out/seen" >"$out/changes" || { bad=1; cat "$out/changes" >>"$out/said"; }
	result $bad "$1"
}

# row NAME CODE PATTERN...: what was said last
row()
{
	local name=$1 bad=0

	shift
	said "$@" || bad=1
	count=$((count + 1))
	result $bad "$name"
}

# replays NAME VERDICT: the only trace there is with that verdict in its name
replays()
{
	local trace bad=0

	for trace in "$out/traces/$1-$2"-*.trace; do :; done
	chess replay --host "$trace"
	said 1 "$2 reproduced: 1 of 1" || bad=1
	count=$((count + 1))
	result $bad "the trace of $1 with the verdict $2 replays"
}

run() { chess test --host --out "$out/traces" --bound 1 "$@"; }

echo "KTAP version 1"
echo "1..$planned"

run --jobs 2 --junit "$out/like.xml" -- "$BIN/like"
results "a binary like kselftest_harness.h's" 1 <<'EOF'
KTAP version 1
1..1
  KTAP version 1
  # Subtest: like
  1..8
  ok 1 global.ordered
  not ok 2 global.abba # deadlock
  not ok 3 global.lost_signal # deadlock
  ok 4 global.skips # SKIP not on this machine
  not ok 5 account.plain.lost_update # exit
  ok 6 account.plain.no_lost_update
  ok 7 account.again.lost_update # XFAIL is known to fail
  not ok 8 account.again.no_lost_update # exit
not ok 1 like
# Totals: pass:2 fail:4 xfail:1 xpass:0 skip:1 error:0
EOF
# As for T2, nobody but the end of all else tells that it waits in vain.
row 'diagnostics have the report and the command' 1 '^  # deadlock: .*like -r global.abba' \
	'^  #   T2 waits for T3, T3 for T2' "^  # replay it with: chessctl replay $out/traces/like-deadlock-" \
	'^  #   T2   cond_wait changed  .*pthread_cond_wait changed' \
	'^  # it fails without control, too: exit status 1' '!with a time-out' '!something outside'
count=$((count + 1))
traces=$(find "$out/traces" -name '*.trace' | wc -l)
[ "$traces" = 4 ]
result $? 'each failure has one trace' "$traces traces"
replays like deadlock
replays like exit

count=$((count + 1))
if command -v xmllint >/dev/null; then
	xmllint --noout --schema "$here/junit.xsd" "$out/like.xml" >"$out/said" 2>&1
	result $? 'the XML is valid'
else
	result skip 'the XML is valid' 'no xmllint'
fi
count=$((count + 1))
[ "$(tr '\n' ' ' <<<"$(grep -c '<testcase classname="like"' "$out/like.xml"
	grep -c '<failure message="deadlock" type="deadlock">deadlock: ' "$out/like.xml"
	grep -c '<skipped message="not on this machine"/>' "$out/like.xml")")" = "8 2 1 " ]
result $? 'and has the cases'

# The limit of the parent is the program's where it may pass.
run --watchdogs late -- "$BIN/like"
row 'with limits that pass the parent makes a failure of it' 1 '^  not ok 3 global.lost_signal # exit'

run -- "$BIN/account"
results 'tests of chessctl/test.h' 0 <<'EOF'
KTAP version 1
1..1
  KTAP version 1
  # Subtest: account
  1..2
  ok 1 transfers_add_up
  ok 2 reversed_locks # deadlock, as expected
ok 1 account
# Totals: pass:2 fail:0 xfail:0 xpass:0 skip:0 error:0
EOF
run --harness chess -- "$BIN/wrong"
results 'the same in C++, and wrong' 1 <<'EOF'
KTAP version 1
1..1
  KTAP version 1
  # Subtest: wrong
  1..3
  not ok 1 lost_update # assert
  not ok 2 lost_signal # deadlock
  not ok 3 no_deadlock_at_all # no schedule had the verdict deadlock, which is expected
not ok 1 wrong
# Totals: pass:0 fail:3 xfail:0 xpass:0 skip:0 error:0
EOF
row 'what an assert says is told' 1 'wrong.cc:[0-9]+: assertion failed: balance == 2'
count=$((count + 1))
"$BIN/account" >"$out/said"
code=$?
printf 'KTAP version 1\n1..2\nok 1 transfers_add_up\nok 2 reversed_locks # SKIP %s\n' \
	'deadlock is expected, which chessctl test looks for' | diff - "$out/said" >"$out/changes" && [ $code = 0 ]
result $? 'by themselves they print KTAP' "$(cat "$out/changes")"

# How many runs and classes there are is derived in structures.c.
chess test --host --out "$out/traces" --json -- "$BIN/structures"
cp "$out/said" "$out/structures.json"
row 'JSON of tests of data structures' 0 '"passed":9'
count=$((count + 1))
cat >"$out/numbers.py" <<'EOF'
import json, sys

text = open(sys.argv[1]).read()
said = json.loads(text[text.index('\n{') + 1:] if text[0] != '{' else text)
for case in said['programs'][0]['cases']:
    name, found = case['name'], case['search']
    if case['expected']:
        print(name, found['verdict'])
    elif name.endswith('_without_preemption'):
        print(name, 'runs', found['runs'], found['complete'])
    elif name == 'ticket_lock':
        print(name, found['complete'])
    else:
        print(name, 'classes', found['certificate']['classes'], found['complete'])
EOF
python3 "$out/numbers.py" "$out/structures.json" >"$out/seen" 2>&1
diff -u - "$out/seen" >"$out/changes" <<'EOF'
queue classes 8 True
queue_without_preemption runs 4 True
queue_with_one_condition deadlock
cache classes 10 True
cache_without_preemption runs 3 True
cache_without_second_look assert
ticket_lock True
ticket_lock_without_preemption runs 3 True
ticket_lock_without_add livelock
EOF
result $? 'whose numbers are as derived' "$(cat "$out/changes")"

run -- "$BIN/tap"
results 'a program that prints TAP' 0 <<'EOF'
KTAP version 1
1..1
ok 1 tap
# Totals: pass:1 fail:0 xfail:0 xpass:0 skip:0 error:0
EOF
run --harness tap -- "$BIN/tap" deadlocks
results 'one that deadlocks' 1 <<'EOF'
KTAP version 1
1..1
not ok 1 tap # deadlock
# Totals: pass:0 fail:1 xfail:0 xpass:0 skip:0 error:0
EOF
run -- "$BIN/tap" skips
results 'nothing that was searched is no ok' 4 <<'EOF'
KTAP version 1
1..1
ok 1 tap # SKIP not here
# Totals: pass:0 fail:0 xfail:0 xpass:0 skip:1 error:0
EOF
run -- "$BIN/tap" skips_controlled
row 'one that skips under control alone' 4 '^ok 1 tap # SKIP under control alone: not here'
run --runs 3 --strategy random -- "$BIN/tap"
row 'a search that is not over' 4 '^ok 1 tap # incomplete: no bug so far; '
run --harness none -- "$BIN/account"
row 'without a harness it is one case' 0 '^ok 1 account$' '^1..1$'
run --json -- "$BIN/account"
row 'JSON' 0 '"passed":2' '"harness":"chess"' '"result":"pass"' '"expected":"deadlock"' '"exit_status":0'

# A folder, and a list as run_kselftest.sh has it.
mkdir -p "$out/tree/locks" "$out/tree/other"
cp "$BIN/account" "$out/tree/locks/"
cp "$BIN/tap" "$out/tree/other/"
chmod a+rx "$out" "$out/tree" "$out/tree/locks" "$out/tree/other"
printf 'locks:account\nother:tap\n' >"$out/tree/kselftest-list.txt"
run -- "$out/tree"
results 'a folder with a list' 0 <<'EOF'
KTAP version 1
1..2
  KTAP version 1
  # Subtest: locks:account
  1..2
  ok 1 transfers_add_up
  ok 2 reversed_locks # deadlock, as expected
ok 1 locks:account
ok 2 other:tap
# Totals: pass:3 fail:0 xfail:0 xpass:0 skip:0 error:0
EOF
sed -i 1d "$out/tree/kselftest-list.txt"
run -- "$out/tree/kselftest-list.txt"
row 'a list' 0 '^ok 1 other:tap$' '!account'
run -- "$out/tree/locks"
row 'a folder of programs' 0 '^ok 1 account$'
cp "$BIN/tap" "$out/tree/locks/away" && chmod a-r "$out/tree/locks/away"
echo "other:gone" >"$out/tree/kselftest-list.txt"
run -- "$out/tree"
row 'a program that is not there' 3 "^not ok 1 other:gone # ERROR .*'./gone'"

# Ctrl-C: what is known is told.
timeout -s INT -k 60 6 "$CHESSCTL" test --host --out "$out/traces" --bound 6 --strategy icb \
	-- "$BIN/like" >"$out/said" 2>&1 </dev/null
code=$?
row 'Ctrl-C ends it with results' 124 '^  ok 1 global.ordered # incomplete' '# ERROR interrupted' '^# Totals'

# It does not wait for what runs without control, nor begin what comes behind it.
mkdir -p "$out/tree/slow"
cp "$BIN/tap" "$out/tree/slow/"
echo timeout=3600 >"$out/tree/slow/settings"
chmod -R a+rX "$out/tree/slow"
interrupted() { timeout -s INT -k 60 4 "$CHESSCTL" test --host --out "$out/traces" --bound 1 "$@"; }
interrupted -- "$out/tree/slow/tap" sleeps >"$out/said" 2>&1 </dev/null
code=$?
row 'Ctrl-C while a case runs without control' 124 '^not ok 1 tap # ERROR interrupted'
interrupted --harness kselftest -- "$out/tree/slow/tap" sleeps >"$out/said" 2>&1 </dev/null
code=$?
row 'Ctrl-C while its cases are listed' 124 '^not ok 1 tap # ERROR interrupted' '!lists no cases'

if [ -n "${PACKAGES:-}" ]; then
	run -- "$BIN/gtest"
	results 'GoogleTest' 1 <<'EOF'
KTAP version 1
1..1
  KTAP version 1
  # Subtest: gtest
  1..5
  ok 1 Locks.InOneOrder
  not ok 2 Locks.InTwoOrders # deadlock
  ok 3 From/Sums.AreNoRace/0
  ok 4 From/Sums.AreNoRace/1
  ok 5 Locks.DISABLED_Never # SKIP disabled in the program
not ok 1 gtest
# Totals: pass:3 fail:1 xfail:0 xpass:0 skip:1 error:0
EOF
	replays gtest deadlock
	run -- "$BIN/check"
	results 'Check' 1 <<'EOF'
KTAP version 1
1..1
  KTAP version 1
  # Subtest: check
  1..2
  ok 1 locks & keys:one order
  not ok 2 locks & keys:two orders # deadlock
not ok 1 check
# Totals: pass:1 fail:1 xfail:0 xpass:0 skip:0 error:0
EOF
	command=$(sed -n 's/^  # replay it with: //p' "$out/said")
	PATH=$(dirname "$CHESSCTL"):$PATH bash -c "$command --host" >"$out/said" 2>&1
	code=$?
	row 'whose replay command has its variables' 1 '^env .*CK_RUN_CASE|deadlock reproduced: 1 of 1'
	run -- "$BIN/cmocka"
	row 'cmocka' 0 '^ok 1 cmocka$' '^# cmocka: this cmocka does not know CMOCKA_TEST_FILTER'
	run -- "$BIN/cmocka" wrong
	row 'cmocka, wrong' 1 '^not ok 1 cmocka # deadlock'
fi
[ "$count" -eq "$planned" ] || { echo "# $count rows"; failed=$((failed + 1)); }
totals
