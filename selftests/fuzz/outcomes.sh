#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What the reductions leave out shows nothing new: programs out of seeds (outcome_subject.c) are
# searched without a reduction and with each of them. Within the same number of preemptions there
# must be the same outcomes, and without a bound no fewer. The search without a reduction knows
# nothing of what depends on what, so it is the one that is right. Where tasks wait for ever, what
# they did before is an outcome, too. Run inside the VM, as root, with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# SEED      the first seed, or "random" (default 1)
# COUNT     so many seeds (default 1000000)
# TIME      seconds; no program is begun after that (default 60)
# KINDS     which kinds of programs are made of a seed, of "- w m p wp mp A" (default all)
# LIMIT     seconds a search may take (default 40): a program that takes longer is left out
# Usage: outcomes.sh [PROGRAM...]; by default those that differed once, and then seeds. KTAP on
# stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
LIMIT=${LIMIT:-40}
SUBJECT=$BUILD/selftests/fuzz/outcome_subject
APART=$BUILD/selftests/fuzz/apart_subject
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"

need "$CHESSCTL" "$SUBJECT"
own_folder outcomes

# Each was searched as if it had fewer outcomes than it has. The second thread's call of
# pthread_once() may come before the end of the first one (dpor). A process that is killed before it
# has done anything might have done it first (dfs with dpor).
known=("once(0);once(0)" "Afile_ask(545),send(169);file_get(599)")

# search PROGRAM NAME ARGUMENT...: its outcomes go to $out/NAME; fails where it takes too long
search()
{
	local program=$1 name=$2 points=sync,syscalls subject=$SUBJECT

	shift 2
	[ "${program::1}" = A ] && subject=$APART
	# Outcomes of accesses need points at them.
	case $program in m*[0-9]|*plain*|*atomic*|*page*|*into*) points=sync,syscalls,races ;; esac
	rm -rf "$out"/outcomes* "$out/t"
	: >"$out/outcomes"
	"$CHESSCTL" explore --json --host --no-bpf --keep-going --points $points --time "$LIMIT" \
		--ok-exit 1-3 --expect-signal SIGUSR1,SIGTERM,SIGPIPE \
		--out "$out/t" "$@" -- "$subject" "$program" "$out/outcomes" \
		</dev/null >"$out/said" 2>"$out/why"
	ipcrm -a 2>/dev/null
	case $(sed -n '2s/.*: *"\(.*\)",/\1/p' "$out/said") in
	ok|incomplete|deadlock|timeout) ;;
	*)
		sed 's/^/# /' "$out/why" "$out/said"
		wrong="$wrong $name"
		return 1
		;;
	esac
	grep -q '^  "complete":true' "$out/said" || return 1
	if [ "$subject" = "$APART" ]; then
		{
			sed 's/ *$//' "$out/outcomes" | sort -u
			sed -n '2s/^ */verdict /p' "$out/said"
		} >"$out/$name"
		return
	fi
	{
		sort -u "$out/outcomes"
		{ cat "$out/outcomes.stuck"; "$SUBJECT" --stuck "$out/outcomes"; } | sort -u |
			sed -n 's/^ .*[^ ].*/stuck&/p'
	} | sed 's/ *$//' >"$out/$name"
}

# told NAME WHAT: what is in the plain search's outcomes and not in those of NAME, and the reverse
told()
{
	diff "$out/plain" "$out/$1" | sed -n 's/^</# missing:/p; s/^>/# not there without it:/p'
	wrong="$wrong $1"
}

# compare PROGRAM: 0 the same, 1 not, 2 too large
compare()
{
	local bound reduce

	wrong=
	for bound in 2 1 -; do
		[ $bound = - ] && return 2
		search "$1" plain --strategy icb --bound $bound && break
		[ -z "$wrong" ] || return 1
	done
	for reduce in hb sleep dpor; do
		search "$1" $reduce --strategy icb --bound $bound --reduce $reduce || continue
		cmp -s "$out/plain" "$out/$reduce" || told $reduce
	done
	if search "$1" all --strategy dfs --reduce dpor &&
	   [ -n "$(comm -23 "$out/plain" "$out/all")" ]; then
		told all
	fi
	[ -z "$wrong" ] || {
		echo "# $1 with at most $bound preemptions differs:$wrong; it is $(
			[ "${1::1}" = A ] && SUBJECT=$APART; "$SUBJECT" --list "$1")"
		return 1
	}
}

seeds()
{
	local seed=${SEED:-1} first end=$((SECONDS + ${TIME:-60})) bad=0 same=0 large=0 kind

	[ "$seed" = random ] && seed=$((RANDOM * 32768 + RANDOM))
	for ((first = seed; seed - first < ${COUNT:-1000000} && SECONDS < end; seed++)); do
		for kind in ${KINDS:-- w m p wp mp A}; do
			compare "${kind#-}$seed"
			case $? in
			0) same=$((same + 1)) ;;
			1) bad=1 ;;
			*) large=$((large + 1)) ;;
			esac
		done
	done
	echo "# $same programs have the same outcomes, $large are too large; seeds from $first"
	[ $same -gt 0 ] || bad=1
	result $bad "programs out of seeds have the outcomes that they have without a reduction"
}

echo "KTAP version 1"
if [ $# -gt 0 ]; then
	known=("$@")
	echo "1..$#"
else
	echo "1..$((${#known[@]} + 1))"
fi
for program in "${known[@]}"; do
	compare "$program"
	result $? "$program"
done
[ $# -gt 0 ] || seeds
totals
