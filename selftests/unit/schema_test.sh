#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What chessctl prints as JSON without a module is what docs/schema/chessctl.json says: the
# golden files, each committed trace, the checks of this machine. And the comparison finds what
# it is for: a key that is not in the schema, one that is missing, a value of another type. The
# suite schema does the same for what needs a module. Run by run.sh with CHESS_BUILD set; output
# is KTAP.

top=${CHESS_TREE:-$(cd "$(dirname "$0")/../.." && pwd)}
build=$(cd "${CHESS_BUILD:-$top/build}" && pwd) || exit 1
golden=$top/selftests/unit/cli_test.d
schema=$top/docs/schema/chessctl.json
check=$top/selftests/schema/schema.py
# shellcheck source=selftests/ktap.sh
. "$top/selftests/ktap.sh"

make -s -f "$top/cli/Makefile" BUILD="$build" "$build/chessctl" >&2 || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export CHESS_MODULE=/nonexistent LC_ALL=C NO_COLOR=1
unset CHESS_VM

echo "KTAP version 1"

for t in "$golden"/*.trace; do
	"$build/chessctl" show --format json "$t" >"$(basename "$t" .trace).show.json"
done
cp "$golden/show-at-json.txt" golden.show-at.json
"$build/chessctl" doctor --json >machine.doctor.json
ls ./*.show.json >list && [ "$(wc -l <list)" -ge 4 ]
result $? "there are traces to show"

"$check" --self "$schema" ./*.json >said 2>&1
result $? "each object is what the schema says, and no other key passes" "$(cat said)"

# finds NAME EXPRESSION: the object of the sample trace, changed by sed, is rejected
finds()
{
	sed -E "$2" sample.show.json >changed.show.json
	if cmp -s sample.show.json changed.show.json; then
		result 1 "$1" "nothing was changed"
	elif "$check" "$schema" changed.show.json >said 2>&1; then
		result 1 "$1" "it passes"
	else
		grep -q '^changed.show.json: ' said
		result $? "$1" "$(cat said)"
	fi
}

finds "an unknown key" '0,/"verdict":/s//"verdit":"ok", &/'
finds "a missing key" '/"quantum_us":/d'
finds "a number that is a string" 's/"points":([0-9]+)/"points":"\1"/'
finds "an unknown verdict" '0,/"verdict":"[a-z]*"/s//"verdict":"fine"/'
finds "an unknown key of an event" '0,/"seq":/s//"sequence":1, &/'
echo "1..$n"
totals
