#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Documents, help and comments are in plain English: some constructions that used to be common
# here, and over which a native speaker stumbles, must not come back. Passing is no proof of
# good English. What chessctl and the library print is in their strings: those are checked, code
# is not. Comments of sources are checked for the clear-cut ones only. Run by run.sh with
# CHESS_BUILD set; output is KTAP.

top=${CHESS_TREE:-$(cd "$(dirname "$0")/../.." && pwd)}
cd "$top" || exit 1
export LC_ALL=C.UTF-8

. selftests/ktap.sh

verbs='is|was|has|have|waits?|yields?|goes|comes|holds|blocks?|runs?|wakes?|asks?|looks?|takes|wants|knows'
things='points?|preemptions?|bugs?|tasks?|decisions?|steps?|yields?|races?|access(es)?|livelocks?|deadlocks?'
things+='|alternatives?|part|forks?|sync|system|calls?|types?|place|process|ELF'

# A row: text that must be found; Perl's regular expression, in any case; what is wrong
# with it and what to write instead.
patterns=(
'in each so manieth yield@manieth@not English: each Nth'
'the search begins anew@\banew\b@archaic: again'
'an IRQ fires of itself@\bof itself\b@idiom: by itself'
'what comes behind it@\bbehind\b@behind is about places: after, or say who has it'
'when nobody else can@\b(nobody|no one|somebody|everybody) else\b@which tasks: no other task, another user'
'It ends; who waits gets it@(^|[;,.(] |: | (as|than|of|for|and|what|when|where|if|is) )who ('"$verbs"')\b@no noun before it: the task that waits'
'The end is no point@(?<!there) (is|are|was|were) no ('"$things"')\b@is not a point'
'Yields are none here@(?<!there) (is|are) none\b( (of|by|but|with|without|here)|[,;])@is not one'
'which tasks are told@\b(is|are|be|was|were) told\b@only people are told: printed, shown, recorded'
'it tells which task@\btells? (of|which|what|how|where|apart)\b@show, print, say, distinguish'
'all but for one@\bbut for\b@except'
'the others could go on@\b(can|could|may|might|would) go on\b@can run, can continue'
'that goes by the length@\b(goes|go) by\b@depends on, uses'
'signals act as ever@\bas ever\b@as usual'
'whoever asks first@\bwhoever\b@name the task, the process or the user'
'a test of one'"'"'s own@\bone.s own\b@your own, its own'
'tasks are let go@\b(is|was|are) let (pass|go|in|out)\b@passes, is released, is unblocked'
'code that is looked at@\blooked at\b@examined, read, checked'
'which is said then@\b(is|was) said\b@which program says it'
'what is asked of the kernel@\b(is|are) asked (of|for|by|from)\b@requested, read from'
)

# The same for strings only: documents may say of a person what a program must not.
in_strings=(
'nobody waited for it@\b(nobody|no one|somebody|everybody|anybody)\b@no task, another program, the user'
'it woke up for nothing@\bfor nothing\b@spuriously, without a wake-up'
'times() tells the time@\btells?\b@returns, shows, prints'
'--runs wants a number@\bwants?\b@takes, needs'
'--wake knows fifo@[-]-\S+ knows\b@takes'
'the key stands there twice@\bstands? there\b@is given, is'
'it hangs on a file@\bhangs? on\b@depends on'
'may not be looked into@\blook(ed|s)? (into|at)\b@examine, read, observe'
'it is no trace@(?<!there) (is|are|was|were) no (?!longer)@is not a'
'none of its tasks goes on@\bgo(es)? on\b@continues, runs'
)

# The same for comments of sources.
of_sources=(
'the clock is set anew@\banew\b@archaic: again'
'the unit is drawn of itself@(?<!says |notes |copy )\bof itself\b@idiom: by itself, about itself'
'the token may be behind this@^(?!.*\b(leaves?|left|leaving)\b).*(?<=\s)behind\b@behind is about places: after'
'gone by then; who waits gets it@(^|[;,.(] |: | (as|than|of|for|what|when|where|if|is) )who ('"$verbs"')\b@no noun before it: the task that waits'
'the end is no point@(?<!there) (is|are|was|were) no ('"$things"'|verdict)\b(?! dying)@is not a point'
'which tasks are told@\b(is|are|be|was|were) told\b(?! (to|at))@only people are told: printed, shown, recorded'
'it tells which task@\btells? (of|which|what|how|where|apart)\b@show, print, say, distinguish'
'a wait ends for nothing@\b(ends?|ended|woken?|wakes?|waits?) (up )?for nothing\b@without a wake-up, in vain, does not wait'
'signals act as ever@\bas ever\b@as usual'
)

# comments FILE...: their comments, each line with its file and number
comments()
{
	awk 'FNR == 1 { inside = 0 }
	     { line = $0; text = "" }
	     inside { end = index(line, "*/"); text = end ? substr(line, 1, end - 1) : line
		      inside = !end; line = end ? substr(line, end + 2) : "" }
	     { while ((at = index(line, "/*")) > 0) {
			line = substr(line, at + 2); end = index(line, "*/")
			text = text " " (end ? substr(line, 1, end - 1) : line)
			inside = !end; line = end ? substr(line, end + 2) : "" }
	       if (text != "") print FILENAME ":" FNR ":" text }' "$@"
}

# strings FILE: its strings of several words, each with its line's number; those of one statement
# that are split over lines are looked at one by one
strings()
{
	awk '/^#include/ { next } { gsub(/\/\*.*\*\//, "") } /\/\*/ { inside = 1 }
	     !inside { line = $0
		       while (match(line, /"([^"\\]|\\.)*"/)) {
				text = substr(line, RSTART + 1, RLENGTH - 2)
				line = substr(line, RSTART + RLENGTH)
				gsub(/\\n/, " ", text)
				if (text ~ /[a-z].* .*[a-z].* /) print FNR ": " text } }
	     /\*\// { inside = 0 }' "$1"
}

# prose FILE: its text without code, quotes and output, each line with its number
prose()
{
	case $1 in
	*.md)	awk '/^```/ { fence = !fence; next } fence || /^    [^ ]/ { next }
		     { gsub(/`[^`]*`/, "CODE"); gsub(/"[^"]*"/, "QUOTE"); print FNR ":" $0 }' "$1" ;;
	*.h)	comments "$1" | cut -d: -f2- ;;
	*)	grep -nv 'seen, behind (' "$1" ;;	# a key of JSON
	esac
}

mapfile -t files < <(printf '%s\n' docs/*.md docs/man/* docs/netlink/specs/*.yaml \
	libchessctl/include/chessctl/*.h include/uapi/linux/*.h include/*.h \
	README.md selftests/README.md bpf/README.md {cli,kmod,libchessctl}/{,*/}README.md \
	selftests/unit/cli_test.d/help*.txt)

mapfile -t sources < <(printf '%s\n' {bpf,cli,kmod,libchessctl}/{,*/}*.[ch] selftests/*.[ch] \
	selftests/{*,*/*}/*.[ch] | grep -v '[*]\|\.mod\.c$' | sort -u)

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
for f in "${files[@]}"; do
	prose "$f" | sed "s|^|$f:|"
done >"$tmp/all"
comments "${sources[@]}" >"$tmp/sources"

mapfile -t printing < <(find cli libchessctl -name '*.[ch]' | sort)
for f in "${printing[@]}"; do
	strings "$f" | sed "s|^|$f:|"
done >"$tmp/strings"

# look_for ROW LINES: a result; nothing in LINES has the row's pattern
look_for()
{
	local example regex reason found

	IFS='@' read -r example regex reason <<<"$1"
	found=$(awk '{ split($0, part, ":")
		       text = substr($0, length(part[1] ":" part[2] ":") + 1)
		       print text "\t" part[1] ":" part[2] }' "$2" | grep -iP "$regex" |
		awk -F'\t' '{ print $NF ": " $0 }')
	grep -qiP "$regex" <<<"$example" || found="the pattern does not find: $example"
	[ -z "$found" ]
	result $? "not written: $example" "${found:+$reason
$found}"
}

echo "KTAP version 1"
echo "1..$((${#patterns[@]} + ${#in_strings[@]} + ${#of_sources[@]} + 2))"
cat "$tmp/all" "$tmp/strings" >"$tmp/both"
for row in "${patterns[@]}"; do
	look_for "$row" "$tmp/both"
done
for row in "${in_strings[@]}"; do
	look_for "$row" "$tmp/strings"
done
for row in "${of_sources[@]}"; do
	look_for "$row" "$tmp/sources"
done
[ "$(wc -l <"$tmp/all")" -gt 4000 ] && [ "$(cut -d: -f1 "$tmp/all" | sort -u | wc -l)" = ${#files[@]} ] &&
	[ "$(wc -l <"$tmp/sources")" -gt 15000 ]
result $? "every file has text"
[ "$(wc -l <"$tmp/strings")" -gt 1000 ]
result $? "there are strings"
totals
