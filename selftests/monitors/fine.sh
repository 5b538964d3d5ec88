#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Programs without a bug, built with sanitizers, and under valgrind: none is reported, and run
# prints and returns what the program does by itself. Run inside the VM, as root, with the
# module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# TIME      seconds each is searched (default 5)
# KINDS     directories of $BUILD/selftests/monitors, and "valgrind" (default: gcc's and that)
# Usage: fine.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
# shellcheck disable=SC2034 # said.sh reads it
LIMIT=600
TIME=${TIME:-5}
KINDS=${KINDS:-gcc-address gcc-undefined gcc-thread valgrind}
BIN=$(cd "$BUILD/selftests/monitors" && pwd) || exit 1
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"
# shellcheck source=selftests/said.sh
. "$here/../said.sh"

need "$CHESSCTL" "$BIN/plain/fine/barrier" "$BIN/gcc-address/fine/barrier"
own_folder fine
programs=("$BIN"/plain/fine/*)

# Addresses, process ids and times are not the same; what else is said is.
same_words() { sed -E 's/==[0-9]+==/==N==/; s/0x[0-9a-f]+/ADDRESS/g' "$1"; }

# judge KIND NAME COMMAND...
judge()
{
	local kind=$1 name=$2 alone bad=0

	shift 2
	"$@" >"$out/alone" 2>&1 </dev/null
	alone=$?
	timeout -k 5 "$LIMIT" "$CHESSCTL" run --host -- "$@" >"$out/run" 2>"$out/run.err" </dev/null
	[ $? = $alone ] || bad=1
	grep -v '^chessctl: ' "$out/run.err" >>"$out/run"
	same_words "$out/alone" | sort >"$out/alone.words"
	same_words "$out/run" | sort >"$out/run.words"
	chess explore --host --no-bpf --out "$out/t" --points all --strategy icb --bound 1 \
		--time "$TIME" -- "$@"
	diff "$out/alone.words" "$out/run.words" >>"$out/said" || bad=1
	[ "$code" = 0 ] || { [ "$code" = 4 ] && grep -q '^incomplete: no bug so far' "$out/said"; } ||
		bad=1
	result $bad "$kind: $name"
}

echo "KTAP version 1"
read -ra kinds <<<"$KINDS"
echo "1..$((${#kinds[@]} * ${#programs[@]}))"
for kind in "${kinds[@]}"; do
	for program in "${programs[@]}"; do
		name=${program##*/}
		if [ "$kind" != valgrind ]; then
			judge "$kind" "$name" "$BIN/$kind/fine/$name"
		elif command -v valgrind >/dev/null; then
			judge valgrind "$name" valgrind -q --error-exitcode=9 "$program"
		else
			result skip "valgrind: $name" 'no valgrind'
		fi
	done
done
totals
