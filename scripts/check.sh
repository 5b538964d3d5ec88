#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the test suites and print the totals as the last line: "N passed, N
# failed[, N skipped]".  Called by "make check", "make check-unit" and "make
# check-debug" with everything built.
#
#   check.sh [--units-only] [--vm-only] [--kernel DIR --module KO] [SUITE...]
#
# Host suites: "make unit" of selftests/.  The others stand in
# selftests/vm-suites, one a line: name | arguments of chess-vm | command; with
# the word "host" as arguments the command runs on the host, and with "asked" as
# their first word only when the suite is named.  Each suite prints KTAP, kept in
# build/check/NAME.ktap; what is missing there is a failure.  HOST_LIMIT: seconds a
# suite of the host may take; 1800.

set -u
export LC_ALL=C
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1
out=$top/build/check
units=yes vms=yes suffix="" limit=600
# A VM without KVM keeps one CPU busy, so as many suites run at a time.
jobs=${JOBS:-$(nproc)}
vm_args=()
only=()

while [ $# -gt 0 ]; do
	case $1 in
	--units-only) vms= ;;
	--vm-only) units= ;;
	--kernel)
		vm_args+=(--kernel "$2")
		suffix=-$(basename "$2")
		limit=3600	# KASAN under emulation takes its time
		shift ;;
	--module) vm_args+=(--module "$2"); shift ;;
	-*) echo "check: asked for '$1'; see the head of $0" >&2; exit 2 ;;
	*) only+=("$1") ;;
	esac
	shift
done

mkdir -p "$out" || exit 1

trap 'kill $(jobs -p) 2>/dev/null; wait; exit 130' INT TERM HUP

wanted()
{
	local name

	[ ${#only[@]} = 0 ] && return 0
	for name in "${only[@]}"; do
		[ "$name" = "$1" ] && return 0
	done
	return 1
}

# longest SECONDS ARG...: SECONDS, or those of a --timeout among the arguments
longest()
{
	local most=$1

	while shift && [ $# -gt 0 ]; do
		[ "$1" = --timeout ] && [ "$2" -gt "$most" ] && most=$2
	done
	echo "$most"
}

# run_suite NAME COMMAND...: its stdout is KTAP, its stderr is kept beside it,
# its sums go to NAME.sum, what it reports to NAME.report
run_suite()
{
	local name=$1 file=$out/$1$suffix.ktap start=$SECONDS child code p f s report

	shift
	"$@" >"$file" 2>"$out/$name$suffix.err" </dev/null &
	child=$!
	trap 'kill $child; wait $child; exit 130' TERM
	wait $child
	code=$?
	read -r p f s < <(scripts/ktap-sum -v "code=$code" "$file" 2>"$out/$name$suffix.why")
	report=$(printf '%-16s %4d passed, %d failed, %d skipped  (%d s)\n' \
		"$name" "${p:-0}" "${f:-1}" "${s:-0}" $((SECONDS - start)))
	if [ "${f:-1}" != 0 ]; then
		report=$report$'\n'$(
			sed 's/^ktap-sum: [^ ]* /    /' "$out/$name$suffix.why" | head -n 20
			tail -n 40 "$out/$name$suffix.err" | sed 's/^/    | /'
			echo "    output: ${file#"$top"/}")
	fi
	# In one piece, since others run beside us.
	echo "$report" | tee "$out/$name$suffix.report"
	rmdir "$CHESS_CHECK_OUT" 2>/dev/null
	echo "${p:-0} ${f:-1} ${s:-0}" >"$out/$name$suffix.sum"
}

started=()

# suite NAME COMMAND...: starts it as soon as fewer than $jobs others run
suite()
{
	while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do
		wait -n
	done
	rm -rf "$out/$1$suffix".*
	export CHESS_CHECK_OUT=$out/$1$suffix.d
	mkdir -p "$CHESS_CHECK_OUT"
	started+=("$1")
	run_suite "$@" &
}

if [ -n "$units" ] && wanted unit; then
	suite unit make -s --no-print-directory -C selftests unit
fi

if [ -n "$vms" ]; then
	while IFS='|' read -r name args command; do
		name=${name//[[:space:]]/}
		case $name in ''|'#'*) continue ;; esac
		wanted "$name" || continue
		read -r -a words <<<"$args"
		if [ "${words[0]:-}" = asked ]; then
			[ ${#only[@]} = 0 ] && continue
			words=("${words[@]:1}")
		fi
		if [ "${words[*]}" = host ]; then
			# They choose their kernel themselves, so they run with that of others
			# only when they are named.
			[ -n "$suffix" ] && [ ${#only[@]} = 0 ] && continue
			suite "$name" timeout "${HOST_LIMIT:-1800}" bash -c "$command"
		else
			# The last one counts: a row's own is for the usual kernel.
			[ -n "$suffix" ] && words+=(--timeout "$(longest $limit "${words[@]}")")
			suite "$name" build/chess-vm --timeout $limit --outbox "$out/$name$suffix.d" \
				"${words[@]}" "${vm_args[@]}" -- bash -c "$command"
		fi
	done <selftests/vm-suites
fi

wait

passed=0 failed=0 skipped=0 reports=()
for name in "${only[@]}"; do
	[[ " ${started[*]} " == *" $name "* ]] && continue
	echo "check: there is no suite '$name' to be run like this" >&2
	failed=$((failed + 1))
done
for name in "${started[@]}"; do
	# A suite that left no sums did not end.
	read -r p f s 2>/dev/null <"$out/$name$suffix.sum" || p=0 f=1 s=0
	[ "$f" = 0 ] || reports+=("$out/$name$suffix.report")
	passed=$((passed + p))
	failed=$((failed + f))
	skipped=$((skipped + s))
done
# Again at the end, where a reader of a long log, or of its last lines, looks.
if [ ${#reports[@]} != 0 ] && [ ${#started[@]} -gt 1 ]; then
	echo "What failed:"
	cat "${reports[@]}"
fi
if [ $skipped = 0 ]; then
	echo "$passed passed, $failed failed"
else
	echo "$passed passed, $failed failed, $skipped skipped"
fi
[ $failed = 0 ] && [ $passed -gt 0 ]
