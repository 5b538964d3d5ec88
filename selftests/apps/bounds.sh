#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# How far a search gets by default, in a minute, with programs from Debian packages: of each all
# schedules without preemptions have to be done, and of half of them all with one. Where a library
# is not examined, it is one schedule for each order of the operations at points. Run inside the
# VM, as root, with nothing beside it; "make check-apps" installs the packages.
#
# BUILD  build directory (default build)
# Usage: bounds.sh [NAME...]; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C PATH=/usr/bin:/bin
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../ktap.sh
. selftests/ktap.sh
# shellcheck source=../json.sh
. selftests/json.sh
BUILD=$(realpath "${BUILD:-build}")
LIMIT=60		# seconds for one search
GLIB=/usr/libexec/installed-tests/glib

out=$(mktemp -d "${TMPDIR:-/tmp}/chess-bounds.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
cd "$out" || exit 1
[ -x "$BUILD/chessctl" ] || skip_all "no $BUILD/chessctl; run make"

# name | command; with two threads where a program lets itself be told. sort starts none for less
# than 131,072 lines, and the tests of GLib start up to 200.
programs()
{
	cat <<-END
	pigz|pigz -p 2 -b 128 -k -c input
	pbzip2|pbzip2 -p2 -b1 -k -c input
	lbzip2|lbzip2 -n2 -k -c input
	plzip|plzip -n2 -k -c input
	xz|xz -T2 --block-size=20000 -0 -k -c input
	zstd|zstd -T2 -q -k -c input
	sort|sort -n --parallel=2 lines
	git|git -C tree grep --threads=2 -c 17
	make|make -s -j2 -f rules
	dash|dash -c 'echo a | tr a b | cat'
	asyncqueue|$GLIB/asyncqueue
	cond|$GLIB/cond
	once|$GLIB/once
	END
}

# What they work on: 43 kB, 140,000 lines of up to five digits, 30 files, three rules.
make_inputs()
{
	local dir n

	seq 1 3000 | awk '{ print $1 * 7919 % 10007, "line", $1 }' >input
	seq 1 140000 | awk '{ print $1 * 7919 % 10007 }' >lines
	printf '%s\n' 'all: a b c' "a b c: ; @echo \$@" >rules
	git init -q tree || return 1
	for dir in a b c; do
		mkdir "tree/$dir"
		for n in {1..10}; do
			seq "$n" 20 >"tree/$dir/$n"
		done
	done
	git -C tree add . &&
		git -C tree -c user.email=a@example.com -c user.name=a commit -qm one
}

list=()
while IFS= read -r line; do
	wanted "${line%%|*}" "$@" && list+=("$line")
done < <(programs)
[ ${#list[@]} -gt 0 ] || skip_all "no program named $*"
make_inputs || skip_all "git cannot make a repository"

echo "KTAP version 1"
echo "1..$((${#list[@]} + 1))"
two=0
for line in "${list[@]}"; do
	IFS='|' read -r name command <<<"$line"
	eval "command=($command)"
	title="${name}_is_done_without_preemptions"
	if ! command -v "${command[0]}" >/dev/null; then
		echo "# no ${command[0]}; run scripts/install-deps.sh apps"
		result 1 "$title"
		continue
	fi
	timeout -k 5 $((LIMIT + 60)) "$BUILD/chessctl" explore --host --json --time $LIMIT \
		--out "$out" -- "${command[@]}" >said 2>log </dev/null
	code=$?
	answer_from said
	look levels_done
	levels=${value:-0}
	# shellcheck disable=SC2154 # json.sh sets it
	# What a reduced search has done that came before the one that is not done.
	[[ $answer =~ \"reduced_first\":\{\"bound\":([0-9]+) ]] &&
		[ "${BASH_REMATCH[1]}" -ge "$levels" ] && levels=$((BASH_REMATCH[1] + 1))
	look runs
	echo "# $name: exit code $code, $value runs, $levels bounds done"
	if [ $code = 0 ] || [ "$levels" -gt 1 ]; then
		two=$((two + 1))
	fi
	[ $code = 0 ] || { [ $code = 4 ] && [ "$levels" -gt 0 ]; }
	result $? "$title"
done
[ $((two * 2)) -ge ${#list[@]} ]
result $? "half_of_them_are_done_with_one_preemption"
totals
