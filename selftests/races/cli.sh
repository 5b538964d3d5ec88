#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Holds chessctl races, and explore and replay with races as points, against counters.c and hot.c:
# verdicts, exit codes, numbers of races, points and searches, and that traces show it all
# again. Run inside the VM, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# Usage: cli.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
# shellcheck disable=SC2034 # said.sh reads it
LIMIT=200
COUNTERS=$BUILD/selftests/races/counters
HOT=$BUILD/selftests/races/hot
. "$here/../ktap.sh"
# shellcheck source=selftests/said.sh
. "$here/../said.sh"

need "$CHESSCTL" "$COUNTERS" "$HOT"
own_folder races

echo "KTAP version 1"
echo "1..24"

# The increment is a load and a store: two pairs, (store, load) and (store, store); -O1
# with volatile makes two instructions of it.
chess races --host --out "$out/t" -- "$COUNTERS" quiet
said 1 '^race: ' '2 races in 10 runs' '^race on counter$' \
	'T1 +writes 4 bytes in add\(\) at counters.c:25' 'T2 +reads 4 bytes in add\(\)' \
	'chessctl replay'
result $? "a race is told with its variable and lines"

trace=$(ls "$out"/t/*race-1.trace 2>/dev/null)
chess replay --host --times 20 "$trace"
said 1 'race reproduced.*20 of 20 replays, records identical' '^race on counter$'
result $? "its trace shows it again"

chess show "$trace"
said 0 '^race on counter$'
result $? "show tells it without the program"

sed 's/\(race 0x[0-9a-f]* 4 T1 write 0x\)/\1f/' "$trace" >"$out/other.body"
sed -i '$d' "$out/other.body"
chess show "$out/other.body"
said 2 'truncated or edited'
result $? "an edited trace is refused"

chess races --host --out "$out/t" -- "$COUNTERS" locked
said 0 '^ok: ' 'no race in 10 runs'
result $? "what a lock orders is no race"

chess races --host --out "$out/t" -- "$COUNTERS" marked
said 0 '^ok: ' '0 suppressed by no file, 2 on variables marked as benign'
result $? "marked variables are counted and not told"

printf '# known\nvariable count*\n' >"$out/rules"
chess races --host --suppress "$out/rules" --out "$out/t" -- "$COUNTERS" quiet
said 0 '^ok: ' '2 suppressed by .*rules, 0 on'
result $? "so are those of a file of rules"

chess races --host --runs 2 --json --out "$out/t" -- "$COUNTERS" quiet
said 1 '"verdict":"race"' '"runs":2' '"symbol":"counter"' '"line":25'
result $? "the same as JSON"

chess races --host --code libc.so.6:pthread_mutex_lock --runs 1 --out "$out/t" -- "$COUNTERS" quiet
said 0 '^ok: ' 'of libc.so.6: '
result $? "only the code that was asked for is looked at"

chess races --host --max-accesses 16 --runs 1 --code libc.so.6 --out "$out/t" -- "$COUNTERS" locked
said 4 '^incomplete: ' 'are MISSED'
result $? "accesses that find no room are told, and nothing is ok then"

chess races --host --max-accesses 16 --runs 1 --code libc.so.6 --json --out "$out/t" -- "$COUNTERS" locked
said 4 '"verdict":"incomplete"' '"why":"[0-9]+ accesses found no room.*--max-accesses'
result $? "JSON says why, too"

# Without its trap, or the record would be full before the race.
chess races --host --runs 1 --strategy random --out "$out/t" -- "$HOT" late
said 1 '^race: ' '^race on late$' '[12] of them were executed so often that not all'
result $? "a race after millions of accesses is found, and what was left out is said"

chess races --host --runs 1 --json --out "$out/t" -- "$HOT" late
cp "$out/said" "$out/before"
said 1 '"retired":[12]\b' '"recorded":50[0-9]{4}\b' '"lost":0\b'
result $? "JSON says so, too"

chess races --host --runs 1 --json --out "$out/t" -- "$HOT" late
[ "$(grep -oE '"(recorded|retired|events|points)":[^,]*' "$out/said")" = \
	"$(grep -oE '"(recorded|retired|events|points)":[^,]*' "$out/before")" ]
result $? "the same is left out again"

# Where the store of the flag is left out, what comes later would seem to race.
chess races --host --runs 1 --out "$out/t" -- "$HOT" ordered
said 4 '^incomplete: ' 'no race in 1 run' 'executed so often'
result $? "what a site orders that is left out is no race"

# Run 1 shows the race; run 2 holds both at the store of the first pair, and both have
# loaded 0 by then.
chess explore --host --no-bpf --points sync,races --out "$out/t" -- "$COUNTERS" lost
said 1 '^assert: ' 'store counter' '2 runs \(1 by chance\), ' 'points at 2 of' 'begins again'
result $? "a search with races as points finds the lost update"

trace=$(ls "$out"/t/*assert-1.trace 2>/dev/null)
chess replay --host --times 100 "$trace"
said 1 '100 of 100 replays, records identical'
result $? "its trace holds its points, and replays"

cp "$COUNTERS" "$out/copy"
chess explore --host --no-bpf --points sync,races --out "$out/c" -- "$out/copy" lost
printf 'X' >>"$out/copy"
chess replay --host "$(ls "$out"/c/*.trace)"
said 2 'is not the file it was then'
result $? "with another file its points are nowhere, which is said"

# With races on the flag as points, a run in which T2 is first shows the one on y.
chess explore --host --no-bpf --points sync,races --bound 1 --out "$out/t" -- "$COUNTERS" late
said 0 '^ok: ' '2 pairs of instructions raced' 'points at 4 of' 'begun again'
result $? "what races later becomes a point later"

# It takes no preemption: T0 waits for both, and T2 is chosen.
chess races --host --seed 3 --out "$out/l" -- "$COUNTERS" late
chess shrink --host --times 20 --out "$out/l" "$(ls "$out"/l/*race-2.trace)"
said 1 '^race shrunk' 'preemptions +[1-9][0-9]* -> 0' 'the smallest there is' '^race on y$' \
	'20 of 20 replays of it identical'
result $? "a race that takes chance is shrunk to the schedule that shows it"

# One switch less there is as well where the other race shows; that is another one.
chess shrink --host --times 20 --out "$out/l" "$(ls "$out"/l/*race-1.trace)"
said 1 '^race shrunk' '^race on flag$' '20 of 20 replays of it identical'
result $? "and not to that of another race"

chess explore --host --no-bpf --points sync,races --strategy hold --out "$out/t" -- "$COUNTERS" quiet
said 4 '^incomplete: ' 'never says that there is none'
result $? "hold alone proves nothing"

chess explore --host --no-bpf --points sync,races --jobs 2 --out "$out/t" -- "$COUNTERS" lost
said 1 '^assert: ' '2 runs \(1 by chance\), '
result $? "two jobs find the same"

# A file by another name than it is linked by, or started with, is the same file.
libc=$(ldd "$COUNTERS" | sed -n 's/.*=> \(.*libc\.so\.6\) .*/\1/p')
ln -s "$(realpath "$libc")" "$out/another" && ln -s "$(realpath "$COUNTERS")" "$out/counted"
chess races --host --out "$out/n" --code "$out/counted" --code "$out/another:abs" -- "$COUNTERS" quiet
said 1 '^race: ' '2 races in 10 runs' '^race on counter$'
result $? "code may be named by any path to it"

totals
