#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the fuzzers for long: each suite of selftests/vm-suites whose name begins with
# fuzz-, also those marked "asked"; where there is a fuzz-NAME-long it stands for fuzz-NAME.
# Those of the module run on the debug kernel (KASAN, lockdep, kmemleak), which is built
# first. TIME= seconds for each fuzzer (140: some ten minutes for all), or COUNT= inputs,
# SEED= where they begin; a seed is drawn and printed without. Called by "make check-fuzz"
# with everything built.

cd "$(dirname "$0")/.." || exit 1
scripts/debug-kernel.sh && scripts/build-module-copy.sh debug >/dev/null || exit 1
export SEED=${SEED:-$RANDOM$RANDOM} TIME=${TIME:-140}
[ -z "${COUNT:-}" ] || export COUNT
# Four of readers, two at a time, or one.
export HOST_LIMIT=$((4 * TIME + 600))
mapfile -t all < <(sed -n 's/^\(fuzz-[a-z0-9-]*\)[ |].*/\1/p' selftests/vm-suites)
suites=()
for suite in "${all[@]}"; do
	case " ${all[*]} " in
	*" $suite-long "*) ;;
	*) suites+=("$suite") ;;
	esac
done
echo "seed $SEED, $TIME s for each fuzzer: ${suites[*]}"
exec scripts/check.sh --kernel build/kernel/debug \
	--module build/kernel/debug-module/kmod/chess.ko "${suites[@]}"
