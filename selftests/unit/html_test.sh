#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The page of "show --html" has what "show --format json" has, read by other code
# (selftests/html/compare.py), for committed traces and for some that are written here: long,
# with 64 tasks, with names that are markup. And what cannot be done is refused. The suite html
# opens such pages in a browser. Run by run.sh with CHESS_BUILD set; output is KTAP.

top=${CHESS_TREE:-$(cd "$(dirname "$0")/../.." && pwd)}
build=$(cd "${CHESS_BUILD:-$top/build}" && pwd) || exit 1
chessctl=$build/chessctl
compare=$top/selftests/html/compare.py
template=template.html
# shellcheck source=selftests/ktap.sh
. "$top/selftests/ktap.sh"

make -s -f "$top/cli/Makefile" BUILD="$build" "$chessctl" >&2 || exit 1
make -s -C "$top/selftests/html" BUILD="$build" >&2 || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cat "$top/cli/html/head.html" "$top/cli/html/page.html" >"$template" || exit 1
export CHESS_MODULE=/nonexistent LC_ALL=C NO_COLOR=1
unset CHESS_VM

# page NAME TRACE [unreal]: writes the page and the JSON, and compares them
page()
{
	local name=$1 trace=$2

	shift 2
	rm -f "$name.html"
	"$chessctl" show "$trace" --html "$name.html" >said 2>&1 &&
		[ ! -s said ] &&
		"$chessctl" show --format json "$trace" >"$name.json" &&
		"$compare" "$name.html" "$name.json" "$template" "$@" >said 2>&1
	result $? "the page of $name has what the trace has" "$(cat said)"
}

# refused NAME CODE SENTENCE ARG...: one sentence, and no file is left
refused()
{
	local name=$1 code=$2 sentence=$3 got before

	shift 3
	before=$(find . | sort)
	"$chessctl" "$@" >said 2>&1
	got=$?
	[ $got = "$code" ] && [ "$(wc -l <said)" = 1 ] && grep -qF "$sentence" said &&
		[ "$(find . | sort)" = "$before" ]
	result $? "$name" "exit code $got: $(cat said)"
}

# notices NAME EXPRESSION: a page that was changed by sed is not what the trace has
notices()
{
	sed -E "$2" wide.html >changed.html
	if cmp -s wide.html changed.html; then
		result 1 "a difference is found: $1" "nothing was changed"
	else
		! "$compare" changed.html wide.json "$template" >said 2>&1
		result $? "a difference is found: $1" "$(cat said)"
	fi
}

echo "KTAP version 1"
: >said

for t in "$top"/selftests/unit/cli_test.d/*.trace; do
	case $t in
	*/timeout.trace) page "$(basename "$t" .trace)" "$t" unreal ;;
	*) page "$(basename "$t" .trace)" "$t" ;;
	esac
done
"$build/selftests/html/make_trace" long.trace long 20000 &&
	"$build/selftests/html/make_trace" wide.trace wide &&
	"$build/selftests/html/make_trace" hostile.trace hostile
result $? "traces are written"
page long long.trace
page wide wide.trace
page markup hostile.trace

# The lines are there: this one is in the function that the events stand in.
grep -q '"    __asm__\|__asm__ volatile' wide.html
result $? "the page has the source"
# A long run is not long because of what every event says again.
[ "$(stat -c %s long.html)" -lt 1500000 ]
result $? "20,000 events take less than 1.5 MB" "$(stat -c %s long.html) bytes"

"$chessctl" show wide.trace --html - >said 2>&1 && [ -f ./- ] && cmp -s ./- wide.html
result $? "the same trace gives the same page"
ln -s linked.html link.html && echo before >linked.html &&
	"$chessctl" show wide.trace --html link.html && [ -L link.html ] && cmp -s linked.html wide.html
result $? "a link stays one"
"$chessctl" show wide.trace --html /dev/fd/3 3>&1 >/dev/null 2>said | cmp -s - wide.html
result $? "a page may go to a pipe" "$(cat said)"

refused "a directory that is not there" 3 "cannot be written" \
	show wide.trace --html nowhere/page.html
refused "a full disk" 3 "cannot be written" show wide.trace --html /dev/full
refused "--at with a page" 2 "leave out --at and --format" show wide.trace --html x.html --at 3
refused "--format with a page" 2 "leave out --at and --format" \
	show wide.trace --html x.html --format json
refused "a trace that is not there" 2 "nothing.trace" show nothing.trace --html x.html

notices "another task" 's/("task":\[0(,0)*),1,/\1,2,/'
notices "a preemption that is not marked" 's/("bits":\[[0-9,]*)3,/\12,/'
notices "another word" 's/"strings":\["","/&not /'
notices "an event that is not there" 's/"chosen":\[-1,/"chosen":[/'
notices "a lock that nobody has" 's/("locks":.*"to":\[)0/\1130/'
notices "a changed script" 's/function readRun/function readrun/'
notices "an element of the program" 's/<main>/<main><b>x<\/b>/'
notices "an address that is fetched" 's/<canvas/<canvas src="x"/'
echo "1..$n"
totals
