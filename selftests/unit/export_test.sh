#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The exports of chessctl show, of traces of runs that were made up with hostile names
# (selftests/export/traces.py) and of committed ones, against what show --format json says
# and against an order of steps that is worked out by itself (selftests/export/check.py).
# Graphviz reads its graphs where it is installed; what needs other readers is in the suite
# "export". Run by run.sh with CHESS_BUILD set; output is KTAP.

top=${CHESS_TREE:-$(cd "$(dirname "$0")/../.." && pwd)}
build=$(cd "${CHESS_BUILD:-$top/build}" && pwd) || exit 1
chessctl=$build/chessctl
export_dir=$top/selftests/export
# shellcheck source=selftests/ktap.sh
. "$top/selftests/ktap.sh"

make -s -f "$top/cli/Makefile" BUILD="$build" "$chessctl" >&2 || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export CHESS_MODULE=/nonexistent LC_ALL=C NO_COLOR=1
unset CHESS_VM

echo "KTAP version 1"

mkdir made
"$export_dir/traces.py" made 60 "${SEED:-1}" >said 2>&1 && [ "$(ls made | wc -l)" = 60 ]
result $? "traces are made" "$(cat said)"
traces=(made/*.trace "$top"/selftests/unit/cli_test.d/*.trace)

# The names are those of the help, so that a new format cannot be left out here.
"$chessctl" show --help >help
formats=$(sed -n 's/.*--format F *text, json, //p' help | sed 's/ or / /; s/,//g')
[ "$(wc -w <<<"$formats")" -ge 6 ]
result $? "the help names the formats" "$(cat help)"
for format in $formats; do
	"$export_dir/check.py" "$chessctl" "$format" "${traces[@]}" >said 2>&1
	result $? "$format" "$(cat said)"
done

# The schema is not one that all is right by: an event that lacks something is found.
mkdir perfetto
for i in "${!traces[@]}"; do
	"$chessctl" show --format perfetto "${traces[i]}" >"perfetto/$i.json"
done
"$export_dir/schema.py" "$export_dir/trace-event.json" perfetto/*.json >said 2>&1
result $? "trace events are as their schema says" "$(head -n 20 said)"
code=0
for fault in 's/"dur": *[0-9]*,/"dur":-1,/' 's/"ph": *"X"/"ph":"Q"/' 's/"ts": *\([0-9]*\)/"ts":"\1"/' \
	's/"bp": *"e"/"bp":"x"/' 's/"s": *"t"/"s":"x"/' 's/"sort_index": *[0-9]*/"index":1/' \
	's/"tasks": *[0-9]*/"tasks":null/' 's/"id": *[0-9]*/"no":1/'; do
	sed "$fault" perfetto/0.json >faulty.json
	if cmp -s perfetto/0.json faulty.json ||
	   "$export_dir/schema.py" "$export_dir/trace-event.json" faulty.json >/dev/null; then
		echo "# $fault"
		code=1
	fi
done
result $code "and one that is not is found"

"$chessctl" show --format yaml made/0.trace >out 2>said
[ $? = 2 ] && [ ! -s out ]
code=$?
for format in text json $formats; do
	grep -q "\<$format\>" said || code=1
done
result $code "the refusal of an unknown format names them" "$(cat said)"
"$chessctl" show --format dot --at 3 made/0.trace >out 2>said
[ $? = 2 ] && [ ! -s out ] && grep -q -- "--at goes with the formats text and json" said
result $? "--at is refused" "$(cat said)"

# Each command of the page, with the trace of the unit in place of the one that it names.
sed -n 's/^    build\/\(chessctl show .*\)/\1/p' "$top/docs/exports.md" >commands
mkdir chess-traces
cp "$top/selftests/unit/cli_test.d/sample.trace" chess-traces/abba-deadlock-1.trace
while read -r command; do
	(PATH=$build:$PATH; eval "$command") >>said 2>&1 || echo "failed: $command"
	# shellcheck disable=SC2086 # the file it writes
	[ -s ${command##*>} ] || echo "no output: $command"
done <commands >faults
[ "$(wc -l <commands)" -ge 6 ] && [ ! -s faults ]
result $? "the commands of docs/exports.md work" "$(cat faults said)"
for format in $formats; do
	grep -q -- "--format $format " commands || echo "$format"
done >faults
[ ! -s faults ]
result $? "docs/exports.md has each format" "$(cat faults)"

if command -v dot >/dev/null; then
	code=0
	for t in "${traces[@]}"; do
		"$chessctl" show --format dot "$t" >graph
		dot -Tsvg graph >graph.svg 2>said && [ ! -s said ] || { code=1; break; }
		# A box for each task that waits is drawn.
		[ "$(grep -c 'class="node"' graph.svg)" = "$(grep -c 'shape=' graph)" ] || { code=1; break; }
	done
	result $code "Graphviz reads the graphs" "$t: $(cat said)"
else
	result skip "Graphviz reads the graphs" "it is not installed"
fi

echo "1..$n"
totals
