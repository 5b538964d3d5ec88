#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Searches with a memo: what one exposed the next does not try, with the same input or another one,
# one after the other or at once; a bug is found in fewer runs; coverage says what is in the memo;
# and places have the same names wherever a library is mapped. The tables are read by memo.py, not
# by chessctl. Run inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/expect.sh
. selftests/expect.sh
suite memo
server=$PROGRAMS/server
memo=selftests/memo/memo.py
need "$server"
near "$server"

echo "KTAP version 1"
echo "1..14"

# search MEMO REQUEST NAME: its JSON is $out/NAME.json
search()
{
	timeout -k 5 "$LIMIT" "$CHESSCTL" explore --host --no-bpf --strategy maple --json \
		--memo "$out/$1" --out "$out/traces" -- "$server" "$2" \
		>"$out/$3.json" 2>"$out/$3.said" </dev/null
	code=$?
	answer_from "$out/$3.json"
}

# tries NAME: how many runs were to expose an iRoot
tries()
{
	python3 -c 'import json, sys
print(sum(i["runs"] for i in json.load(open(sys.argv[1]))["memo"]["attempts"]))' "$out/$1.json"
}

check() { "$memo" "$@" || bad=1; }

bad=0
search a.memo serve first
is verdict incomplete
same "exit code" 4 "$code"
first=$(tries first)
echo "# $first runs to expose an iRoot"
[ "$first" -ge 20 ] || same "many attempts" yes no
check searched "$out/a.memo" 1 "$out/first.json"
result $bad "a search fills its memo"

bad=0
check functions "$out/a.memo" "$server"
result $bad "places are in the functions and lines that addr2line names"

bad=0
search a.memo serve again
same "tries of the same search" 0 "$(tries again)"
check searched "$out/a.memo" 2 "$out/again.json"
result $bad "the same search again tries nothing"

bad=0
search b.memo drop alone
is verdict assert
look runs
alone=$value
search a.memo drop second
is verdict assert
look runs
echo "# the bug: $alone runs, $value with what another input had shown"
[ "$value" -lt "$alone" ] || same "fewer runs with the memo than $alone" yes "$value"
check searched "$out/a.memo" 3 "$out/second.json"
result $bad "another input finds its bug in fewer runs"

bad=0
look trace
timeout -k 5 "$LIMIT" "$CHESSCTL" replay --host --times 3 "$value" >"$out/said" 2>&1 \
	</dev/null
same "exit code" 1 $?
result $bad "and its trace replays"

bad=0
search a.memo reload third
check nothing-twice "$out/a.memo"
check well "$out/a.memo"
result $bad "what was exposed or given up is not tried again"

bad=0
"$CHESSCTL" coverage --json "$out/a.memo" >"$out/coverage.json" 2>"$out/said" || bad=1
[ -s "$out/said" ] && same "nothing on stderr" "" "$(cat "$out/said")"
check coverage "$out/a.memo" "$out/coverage.json"
result $bad "coverage says what is in the memo"

bad=0
"$CHESSCTL" coverage "$out/a.memo" >"$out/said" 2>&1 || bad=1
for words in "use " "add " "saturation" "server drop" "4 searches"; do
	grep -q -- "$words" "$out/said" || same "the line with" "$words" no
done
result $bad "and people can read it"

# Two at once, of different inputs; each has its own share of what is new.
bad=0
search c.memo serve one & one=$!
search c.memo reload two
wait $one
check well "$out/c.memo"
"$CHESSCTL" coverage --json "$out/c.memo" >"$out/coverage.json" 2>"$out/said" || bad=1
check coverage "$out/c.memo" "$out/coverage.json"
python3 - "$out/c.memo" "$out/one.json" "$out/two.json" <<'END' || bad=1
import json, sqlite3, sys
said = sum(json.load(open(f))["memo"]["new"] for f in sys.argv[2:])
have = sqlite3.connect(sys.argv[1]).execute("SELECT count(exposed) FROM iroot").fetchone()[0]
print(f"# {said} new in two searches, {have} exposed")
sys.exit(said != have)
END
result $bad "two searches at once share a memo"

bad=0
search d.memo log log
LD_PRELOAD=$PROGRAMS/libelsewhere.so search e.memo log log
base() { setarch -R "$@" grep -m 1 libc.so.6 /proc/self/maps | cut -d- -f1; }
[ "$(base env)" != "$(base env LD_PRELOAD="$PROGRAMS/libelsewhere.so")" ] ||
	same "the C library lies elsewhere" yes no
check same-names "$out/d.memo" "$out/e.memo" libc.so.6
result $bad "places have the same names wherever they are mapped"

# cover NAME: three inputs, in its own folder
cover()
{
	timeout -k 5 $((3 * LIMIT)) "$CHESSCTL" cover --host --no-bpf --json --inputs "$out/inputs" \
		--out "$out/cover" -- "$server" >"$out/$1.json" 2>"$out/$1.said" </dev/null
	code=$?
}

# of NAME EXPRESSION: of the object that cover printed
of()
{
	python3 -c 'import json, sys
j = json.load(open(sys.argv[1])); r = j["results"]; print(eval(sys.argv[2]))' "$out/$1.json" "$2"
}

bad=0
printf '# requests\nserve\n\n  "drop"\nre\\load\n' >"$out/inputs"
cover cover
same "exit code" 1 $code
same "inputs" "3 1" "$(of cover '"%d %d" % (j["inputs"], j["bugs"])')"
same "verdicts" "incomplete assert incomplete" "$(of cover '" ".join(i["verdict"] for i in r)')"
same "finished" "True False True" "$(of cover '" ".join(str(i["finished"]) for i in r)')"
same "programs" "serve drop reload" "$(of cover '" ".join(i["program"][1] for i in r)')"
same "what is new adds up" True "$(of cover 'j["new"] == sum(i["new"] for i in r) > 100')"
[ -e "$(of cover 'r[1]["trace"]')" ] || same "a trace" yes no
result $bad "cover searches three inputs and finds the bug of one"

bad=0
check well "$out/cover/server.memo"
check nothing-twice "$out/cover/server.memo"
result $bad "with one memo"

bad=0
cover again
same "tries of those that were finished" "0 0" "$(of again '"%d %d" % (r[0]["tries"], r[2]["tries"])')"
result $bad "again it tries nothing of what was finished"

bad=0
timeout -k 5 "$LIMIT" "$CHESSCTL" cover --host --no-bpf --runs 3 --memo "$out/f.memo" \
	--out "$out/traces" -- "$server" serve >"$out/said" 2>&1 </dev/null
same "exit code at a limit" 4 $?
grep -q "more is left to be tried" "$out/said" || same "it says so" yes no
result $bad "a limit is no end"
totals
