#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the test suites and print the totals as the last line: "N passed, N
# failed[, N skipped]".  Called by "make check", "make check-unit" and "make
# check-debug" with everything built.
#
#   check.sh [--units-only] [--vm-only] [--full] [--kernel DIR --module KO] [SUITE...]
#
# Host suites: "make unit" of selftests/.  The others stand in
# selftests/vm-suites, which says what its words mean.  Each suite prints KTAP, kept in
# build/check/NAME.ktap; what is missing there is a failure.  --full: those marked "full",
# too; a table of them all, with their counts, comes last and into docs/testing.md.
# HOST_LIMIT: seconds a suite of the host may take; 1800.  SUITES: another list of them.

set -u
export LC_ALL=C
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1
out=$top/build/check
units=yes vms=yes full="" suffix="" limit=600 module=kmod/chess.ko
# A VM without KVM keeps one CPU busy, so as many suites run at a time.
jobs=${JOBS:-$(nproc)}
suites=${SUITES:-selftests/vm-suites}
vm_args=() module_args=()
only=()

while [ $# -gt 0 ]; do
	case $1 in
	--units-only) vms= ;;
	--full) full=yes ;;
	--vm-only) units= ;;
	--kernel)
		vm_args+=(--kernel "$2")
		suffix=-$(basename "$2")
		limit=3600	# KASAN under emulation takes its time
		shift ;;
	--module) module=$2 module_args=(--module "$2"); shift ;;
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

# counted COMMAND: to $command, with {A,B} as A, or as B with another kernel; the variables it
# sets to $sets
counted()
{
	command=$1

	while [[ $command =~ ^(.*)\{([0-9]+),([0-9]+)\}(.*)$ ]]; do
		command=${BASH_REMATCH[1]}${BASH_REMATCH[${suffix:+1}+2]}${BASH_REMATCH[4]}
	done
	sets=
	[[ $command =~ ^((\ *[A-Z_]+=[^ ]+)+)\  ]] && sets=${BASH_REMATCH[1]# }
}

# of the processor, in seconds: what children of this shell took, to $cpu. A file, since
# "times" in a subshell tells of that one.
cpu_seconds()
{
	local user system

	times >"$1"
	{ read -r _; read -r user system; } <"$1"
	cpu=$((${user%%m*} * 60 + ${system%%m*} * 60))
	user=${user#*m} system=${system#*m}
	cpu=$((cpu + ${user%%.*} + ${system%%.*}))
}

# judge NAME CODE SECONDS CPU: what the suite said; its sums go to NAME.sum, what it reports
# to NAME.report
judge()
{
	local name=$1 file=$out/$1$suffix.ktap p f s report

	read -r p f s < <(scripts/ktap-sum -v "code=$2" "$file" 2>"$out/$name$suffix.why")
	report=$(printf '%-16s %4d passed, %d failed, %d skipped  (%d s, %s s of CPU)\n' \
		"$name" "${p:-0}" "${f:-1}" "${s:-0}" "$3" "$4")
	if [ "${f:-1}" != 0 ]; then
		report=$report$'\n'$(
			sed 's/^ktap-sum: [^ ]* /    /; t; s/^ */        /' "$out/$name$suffix.why" | head -n 40
			# The stack after it may be longer than what is shown of the end.
			head -n -40 "$out/$name$suffix.err" | grep -m1 'Kernel panic' | sed 's/^/    | /'
			tail -n 40 "$out/$name$suffix.err" | sed 's/^/    | /'
			echo "    output: ${file#"$top"/}")
	fi
	# In one piece, since others run beside us.
	echo "$report" | tee "$out/$name$suffix.report"
	rmdir "$out/$name$suffix.d" 2>/dev/null
	echo "${p:-0} ${f:-1} ${s:-0} $3 $4" >"$out/$name$suffix.sum"
}

# run_suite NAME COMMAND...: its stdout is KTAP, its stderr is kept beside it
run_suite()
{
	local name=$1 start=$SECONDS child code cpu

	shift
	"$@" >"$out/$name$suffix.ktap" 2>"$out/$name$suffix.err" </dev/null &
	child=$!
	trap 'kill $child; wait $child; exit 130' TERM
	wait $child
	code=$?
	cpu_seconds "$out/$name$suffix.times"
	judge "$name" $code $((SECONDS - start)) "$cpu"
}

# run_shared DIR NAME...: the suites in DIR/list, in as few VMs as they let
run_shared()
{
	local dir=$1 name child code=0 part tail from

	shift
	while [ $# -gt 0 ]; do
		rm -f "$dir/started"
		build/chess-vm --timeout $((limit * $#)) --outbox "$dir" --no-module \
			"${vm_args[@]}" -- selftests/vm/shared.sh "$dir" "$module" \
			>"$dir/vm.out" 2>&1 </dev/null &
		child=$!
		trap 'kill $child; wait $child; exit 130' TERM
		wait $child
		from=$#
		while [ $# -gt 0 ] && [ -e "$dir/$1.code" ]; do
			name=$1
			shift
			read -r code <"$dir/$name.code"
			[ $# -gt 0 ] || [ ! -s "$dir/vm.out" ] || cat "$dir/vm.out" >>"$dir/$name.left"
			for part in ktap err; do
				mv "$dir/$name.$part" "$out/$name$suffix.$part" 2>/dev/null ||
					: >"$out/$name$suffix.$part"
			done
			mv "$dir/$name.d" "$out/$name$suffix.d" 2>/dev/null
			if [ -s "$dir/$name.left" ]; then
				cat "$dir/$name.left" >>"$out/$name$suffix.err"
				[ "$code" != 0 ] || code=1
			fi
			read -r tail 2>/dev/null <"$dir/$name.took" || tail=0
			judge "$name" "$code" "$tail" -
		done
		if [ $# -gt 0 ] && { [ $# = "$from" ] || [ "$(cat "$dir/started" 2>/dev/null)" = "$1" ]; }; then
			# The VM died under this one, or before it.
			name=$1
			shift
			for part in ktap err; do
				mv "$dir/$name.$part" "$out/$name$suffix.$part" 2>/dev/null ||
					: >"$out/$name$suffix.$part"
			done
			cat "$dir/vm.out" >>"$out/$name$suffix.err"
			judge "$name" 3 0 -
		fi
		for name; do
			grep "^$name"$'\t' "$dir/list"
		done >"$dir/rest"
		mv "$dir/rest" "$dir/list"
	done
	rm -rf "$dir"
}

started=()
declare -A counts=()

# a_place: waits until fewer than $jobs others run
a_place()
{
	while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do
		wait -n
	done
}

# suite NAME COMMAND...: starts it as soon as it can
suite()
{
	a_place
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
	# By our number: the suite "check" runs another check.sh beside us.
	shared=() shared_list=$out/shared$suffix.$$.list
	: >"$shared_list"
	while IFS='|' read -r name args command; do
		name=${name//[[:space:]]/}
		case $name in ''|'#'*) continue ;; esac
		wanted "$name" || continue
		read -r -a words <<<"$args"
		counted "$command"
		counts[$name]=$sets
		case ${words[0]:-} in
		asked|full)
			[ ${#only[@]} = 0 ] && [ "$full${words[0]}" != yesfull ] && continue
			words=("${words[@]:1}") ;;
		shared)
			shared+=("$name")
			rm -rf "$out/$name$suffix".*
			started+=("$name")
			printf '%s\t%s\t%s\n' "$name" "$limit" "${command# }" >>"$shared_list"
			continue ;;
		esac
		if [ "${words[*]}" = host ]; then
			# They choose their kernel themselves, so they run with that of others
			# only when they are named.
			[ -n "$suffix" ] && [ ${#only[@]} = 0 ] && continue
			suite "$name" timeout "${HOST_LIMIT:-1800}" bash -c "$command"
		else
			# The last one counts: a row's own is for the usual kernel.
			[ -n "$suffix" ] && words+=(--timeout "$(longest $limit "${words[@]}")")
			suite "$name" build/chess-vm --timeout $limit --outbox "$out/$name$suffix.d" \
				"${words[@]}" "${vm_args[@]}" "${module_args[@]}" \
				-- bash -c "$command"
		fi
	done <"$suites"
	# Each other one, so that they end at about the same time.
	for ((i = 0; i < jobs && i < ${#shared[@]}; i++)); do
		names=()
		for ((j = i; j < ${#shared[@]}; j += jobs)); do
			names+=("${shared[j]}")
		done
		a_place
		rm -rf "$out/shared-$i$suffix.$$"
		mkdir -p "$out/shared-$i$suffix.$$"
		awk -v n="$jobs" -v i="$i" '(NR - 1) % n == i' "$shared_list" \
			>"$out/shared-$i$suffix.$$/list"
		run_shared "$out/shared-$i$suffix.$$" "${names[@]}" &
	done
	rm "$shared_list"
fi

wait

passed=0 failed=0 skipped=0 reports=() rows=()
for name in "${only[@]}"; do
	[[ " ${started[*]} " == *" $name "* ]] && continue
	echo "check: there is no suite '$name' to be run like this" >&2
	failed=$((failed + 1))
done
for name in "${started[@]}"; do
	# A suite that left no sums did not end.
	read -r p f s wall cpu 2>/dev/null <"$out/$name$suffix.sum" || p=0 f=1 s=0 wall=- cpu=-
	rows+=("| $name | ${counts[$name]:--} | $wall | $cpu | $p passed, $f failed, $s skipped |")
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
# The table has a row for each suite; those of suites that were not run now stay as they are.
if [ -n "$full" ]; then
	printf '%s\n' "${rows[@]}" | tee "$out/full$suffix.rows"
	if [ -z "$suffix" ]; then
		awk -v rows="$out/full.rows" '
			BEGIN {
				while ((getline row <rows) > 0) {
					split(row, a, "|")
					new[a[2]] = row
				}
			}
			/^<!-- end of check-full -->/ {
				inside = 0
				for (name in new)
					print new[name] | "sort"
				close("sort")
			}
			inside && split($0, a, "|") > 2 && a[2] in new { next }
			{ print }
			/^<!-- check-full -->/ { inside = 1 }' docs/testing.md >"$out/testing.md" &&
			cp "$out/testing.md" docs/testing.md
	fi
fi
if [ $skipped = 0 ]; then
	echo "$passed passed, $failed failed"
else
	echo "$passed passed, $failed failed, $skipped skipped"
fi
[ $failed = 0 ] && [ $passed -gt 0 ]
