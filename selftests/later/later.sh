#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Holds chessctl against code that a program maps later than at its start: plug-ins that it
# opens, programs that a shell executes, files that are built again meanwhile. Bugs in it are
# found and replayed, their twins are ok, and what has no traps is named. Run inside the VM,
# as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# TIMES     replays of each trace (default 100)
# Usage: later.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
# shellcheck disable=SC2034 # said.sh reads it
LIMIT=280
TIMES=${TIMES:-100}
BIN=$(cd "$BUILD/selftests/later" && pwd) || exit 1
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"
# shellcheck source=selftests/said.sh
. "$here/../said.sh"

need "$CHESSCTL" "$BIN/open" "$BIN/alone" "$BIN/static" "$BIN/counter.so"
own_folder later

explore()
{
	rm -rf "$out/t"
	chess explore --host --no-bpf --out "$out/t" "$@"
}

# replays VERDICT: the one trace there is does so $TIMES times
replays()
{
	local trace

	trace=$(ls "$out"/t/*.trace)
	chess replay --host --times "$TIMES" "$trace"
	said 1 "$1 reproduced.* $TIMES of $TIMES replays, records identical"
}

echo "KTAP version 1"
echo "1..23"

# The counter is loaded and stored; another thread's turn in between loses one.
explore --points sync,races -- "$BIN/open" "$BIN/counter.so"
said 1 '^assert: ' 'had no traps: they are set' 'T1 +was about to +store counter'
result $? "a race in a plug-in is found"
grep -q "^later .*counter.so" "$out"/t/*.trace && replays assert
result $? "its trace says which file had traps, and is replayed"
explore --points sync,races -- "$BIN/open" "$BIN/counter-right.so"
said 0 '^ok: no bug' 'of counter-right.so: ' 'later than at the start: .*/counter-right.so' \
	'!NO TRAPS'
result $? "with a lock it is none"

chess races --host --out "$out/r" -- "$BIN/open" "$BIN/counter.so"
said 1 '^race: ' '2 races in 11 runs' 'in work\(\) at counter.c'
result $? "races tells it: ten runs behind the one that opened the plug-in first"

# The lock is taken without a system call: there is no point but at the traps.
explore -- "$BIN/open" "$BIN/ownlock.so"
said 1 '^assert: ' 'run 1 executed code of 1 file that had no traps' 'about to +(un)?lock word +work\(\)'
result $? "sync functions of a plug-in are points"
replays assert
result $? "and are so in replays"
# Bound 2 takes more runs than a busy machine makes within the limit.
explore --bound 1 -- "$BIN/open" "$BIN/ownlock-right.so"
said 0 '^ok: no bug' 'later than at the start: .*/ownlock-right.so' '!NO TRAPS'
result $? "the plug-in that uses its lock as it should is ok"

explore --jobs 2 -- "$BIN/open" "$BIN/ownlock.so"
said 1 '^assert: ' 'they are set' && replays assert
result $? "workers have the traps as well"

# Calls into the C library; but nothing of the plug-in itself is needed.
explore --points all -- "$BIN/open" "$BIN/abba.so"
said 1 '^deadlock: ' '!had no traps' && replays deadlock
result $? "a plug-in takes two locks in different order"
explore --points all -- "$BIN/open" "$BIN/abba-right.so"
said 0 '^ok: no bug' '!NO TRAPS'
result $? "and in the same"

# Names of addresses are those of the shell; where the points are is known by file. The
# shell's handler of SIGCHLD has points too.
explore --bound 1 --points sync,races -- sh -c "$BIN/alone; :"
said 1 '^assert: ' 'they are set' 'points at [0-9]+ of .*: .*alone\+0x.*, alone\+0x' && replays assert
result $? "a race in a program that a shell executes"
# The lock's are the only points, or its accesses would tell as well.
explore --bound 1 --points all --strategy icb -- sh -c "$BIN/static; :"
said 1 '^assert: ' 'they are set' 'T2 +was about to +lock 0x' && replays assert
result $? "sync functions of a static program that a shell executes"
explore --bound 1 -- sh -c "$BIN/static-right; :"
said 0 '^ok: no bug' 'later than at the start: .*/static-right' '!NO TRAPS'
result $? "the one that uses its lock as it should is ok"

# One run says it, a search that must not begin again says it.
chess run --host -- "$BIN/open" "$BIN/ownlock-right.so"
said 0 'note: no traps in .*/ownlock-right.so'
result $? "one run says that it had no traps"
explore --runs 1 -- "$BIN/open" "$BIN/ownlock-right.so"
said 4 'NO TRAPS in .*/ownlock-right.so, .*: no run was made'
result $? "and so does a search that has to end before it can set them"

# The text that is executed is a second mapping of the file, made executable by mprotect().
explore -- "$BIN/open" "$BIN/shared.so"
said 4 '^incomplete: ' 'the module lost'
result $? "text that is mapped shared, made executable later, is no ok"
cp "$BIN/ownlock-right.so" "$out/gone.so"
cat >"$out/vanish" <<END
#!/bin/sh
cp $out/gone.so $out/copy.so
$BIN/open $out/copy.so
rm -f $out/copy.so
END
chmod +x "$out/vanish"
explore --bound 0 -- "$out/vanish"
said 0 '^ok: no bug' "NO TRAPS in $out/copy.so"
result $? "a file that is gone when it is looked at is named"

# Not later, but as quiet: GLib's locks make no system call while they are free.
for bug in counter:assert order:deadlock wait:deadlock; do
	if ! [ -x "$BIN/glib" ]; then
		result skip "GLib: ${bug%:*}" "no GLib"
		result skip "GLib: ${bug%:*}, as it should be" "no GLib"
		continue
	fi
	explore --points sync -- "$BIN/glib" "${bug%:*}"
	said 1 "^${bug#*:}: " && replays "${bug#*:}"
	result $? "GLib: ${bug%:*}"
	explore --points sync -- "$BIN/glib-right" "${bug%:*}"
	said 0 '^ok: no bug'
	result $? "GLib: ${bug%:*}, as it should be"
done
totals
