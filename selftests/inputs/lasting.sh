#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Traces last: what has nothing to do with a program may change, and its traces replay. The
# loader's cache grows, as when packages are installed; libraries are looked for elsewhere,
# or a copy of the C library is found there, also under gdb; another library is loaded; the
# environment and the stack's limit are others; the program is called from another working
# directory. And what does make a replay differ is named. Run inside the VM, as root, with
# the module loaded: it changes /etc/ld.so.cache.
#
# BUILD  build directory (default build)
# TIMES  replays of each trace after each change (default 3)
# FEW    not empty: only some of the changes
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/ktap.sh
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
TIMES=${TIMES:-3}
chessctl=$BUILD/chessctl

need "$chessctl" "$BUILD/selftests/inputs/lasting" "$BUILD/selftests/programs/wrong/abba"
type gdb >/dev/null 2>&1 || skip_all "no gdb; apt-get install gdb"
own_folder lasting
mkdir "$out/here" "$out/there" "$out/lib"
cp "$BUILD/selftests/inputs/lasting" "$out/here/program"
cp "$BUILD/selftests/inputs/lasting" "$out/there/program"
cp "$BUILD/selftests/programs/wrong/abba" "$out/here/abba"
cp "$BUILD/selftests/programs/wrong/abba" "$out/there/abba"
cache=/etc/ld.so.cache
libc=$(ldd "$out/here/program" | awk '/libc\.so/ { print $3 }')
cp "$cache" "$out/cache"
cp "$libc" "$out/lib/"

# replays TRACE [COMMAND...]: $TIMES replays of it, by way of the command; 0: all reproduced
replays()
{
	local trace=$1

	shift
	(cd "$out/here" && "$@" "$chessctl" replay --host --times "$TIMES" "$trace" \
		>"$out/said" 2>&1)
	[ $? = 1 ] && grep -q "reproduced.*: $TIMES of $TIMES replays" "$out/said"
}

# follows TRACE COMMAND...: a debugger sees the same, to the end
follows()
{
	local trace=$1

	shift
	(cd "$out/here" && printf '%s\n' continue continue 'set confirm off' quit |
		"$@" timeout 300 "$chessctl" replay --host --gdb "$trace" >"$out/said" 2>&1)
	[ $? = 1 ] && grep -q 'the run under gdb followed the trace to its end' "$out/said"
}

as_it_was() { "$@"; }
libraries_elsewhere() { LD_LIBRARY_PATH=/opt:/usr/lib64:/srv "$@"; }
copy_of_the_c_library() { LD_LIBRARY_PATH=$out/lib "$@"; }
another_library() { LD_PRELOAD=libm.so.6 "$@"; }
larger_environment() { LASTING_LONG=$(printf %5000s '') "$@"; }
no_limit_of_the_stack() (ulimit -s unlimited && "$@")
larger_limit_of_the_stack() (ulimit -s 1000000 && "$@")
all_at_once() (ulimit -s unlimited && LASTING_LONG=$(printf %999s '') \
	LD_LIBRARY_PATH=$out/lib:/opt LD_PRELOAD=libm.so.6 "$@")
changes="as_it_was libraries_elsewhere copy_of_the_c_library another_library larger_environment
	no_limit_of_the_stack larger_limit_of_the_stack all_at_once"
[ -z "${FEW:-}" ] || changes="copy_of_the_c_library all_at_once"
read -ra listed <<<"${changes//[[:space:]]/ }"

programs=("abba|./abba" "owner|./program owner" "heap|./program heap")

echo "KTAP version 1"
echo "1..$((${#programs[@]} * (${#listed[@]} + 4) + 5))"

for line in "${programs[@]}"; do
	name=${line%%|*}
	read -ra words <<<"${line#*|}"
	(cd "$out/here" && "$chessctl" explore --host --out "$out/$name" -- "${words[@]}" \
		>"$out/said" 2>&1)
	[ $? = 1 ]
	result $? "${name}_is_found"
	trace=$(find "$out/$name" -name '*.trace' | head -n 1)
	for change in "${listed[@]}"; do
		replays "$trace" "$change"
		result $? "${name}_replays_with_$change"
	done
	head -c 200000 /dev/zero >>$cache
	replays "$trace"
	result $? "${name}_replays_with_a_larger_cache"
	cp "$out/cache" $cache
	follows "$trace" copy_of_the_c_library
	result $? "${name}_is_followed_by_gdb_with_copy_of_the_c_library"
	(cd "$out/there" && "$chessctl" replay --host --times "$TIMES" "$trace" -- "${words[@]}" \
		>"$out/said" 2>&1)
	[ $? = 1 ] && grep -q "reproduced.*: $TIMES of $TIMES replays" "$out/said"
	result $? "${name}_replays_in_another_directory"
done

# What is another one than then is said, also where it changed nothing.
trace=$(find "$out/abba" -name '*.trace' | head -n 1)
TIMES=1 replays "$trace" copy_of_the_c_library &&
	grep -q "'$out/lib/libc.so.6' is loaded in place of '.*', the same build" "$out/said" &&
	grep -q 'the environment has LD_LIBRARY_PATH, which it did not have' "$out/said"
result $? moved_library_is_named
head -c 200000 /dev/zero >>$cache
TIMES=1 replays "$trace" && grep -q "'$cache' has changed since then" "$out/said"
result $? changed_cache_is_named
cp "$out/cache" $cache

# And where it changed something.
cd "$out/here" || exit 1
"$chessctl" explore --host --out "$out/order" -- ./program environment >"$out/said" 2>&1
trace=$(find "$out/order" -name '*.trace' | head -n 1)
LASTING_ORDER=1 "$chessctl" replay --host "$trace" >"$out/said" 2>&1
[ $? = 4 ] && grep -q 'the environment has LASTING_ORDER, which it did not have' "$out/said"
result $? variable_that_matters_is_named
LASTING_ORDER=1 "$chessctl" replay --host --json "$trace" >"$out/said" 2>&1
[ $? = 4 ] && tr -d '\n' <"$out/said" |
	grep -q '"changed": *\[ *"the environment has LASTING_ORDER, which it did not have'
result $? json_has_what_changed
grep -q 'environment [0-9a-f]\{4\} "PATH"' "$trace" && ! grep -q "environment.*$PATH" "$trace"
result $? values_of_variables_are_not_kept

totals
