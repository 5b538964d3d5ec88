#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# scripts/check.sh runs every suite it was asked for, or says which it did not: make
# check-fuzz names suites of the host beside those of the VM's debug kernel.

set -u
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh

own_folder check

# check ARG...: its output in $out/said; its status
check()
{
	scripts/check.sh "$@" >"$out/said" 2>&1
}

echo "KTAP version 1"
echo "1..9"
check --vm-only --kernel /none --module /none ktap
result $? named_host_suite_runs_with_another_kernel
check --vm-only --kernel /none --module /none ktap none-of-these
[ $? = 1 ] && grep -q "no suite 'none-of-these'" "$out/said" &&
	grep -q '1 failed$' "$out/said"
result $? unknown_suite_is_a_failure
check --units-only ktap
[ $? = 1 ] && grep -q "no suite 'ktap'" "$out/said"
result $? suite_that_is_left_out_is_a_failure

# What shares a VM: what a suite leaves, or dies of, is its own failure, and no other's.
good='echo KTAP version 1; echo 1..1; echo ok 1 one'
fresh='! grep -qx 77 /proc/sys/kernel/threads-max'
cat >"$out/suites" <<END
shared-good | shared | $good
shared-process | shared | sleep 1000 & $good
shared-setting | shared | echo 77 >/proc/sys/kernel/threads-max; $good
shared-splat | shared | echo '<4>BUG: not really' >/dev/kmsg; $good
shared-panic | shared | echo c >/proc/sysrq-trigger; $good
shared-last | shared | [ {3,10} = 3 ] && grep -q '^chess ' /proc/modules && $fresh && $good
END
# one NAME PASSED FAILED [PATTERN]: a result
one()
{
	grep -q "^$1 *$2 passed, $3 failed" "$out/said" && grep -q -- "${4:-.}" "$out/said"
	result $? "$1"
}

if [ -f kmod/chess.ko ] && [ -x build/chess-vm ]; then
	JOBS=1 SUITES=$out/suites check --vm-only
	one shared-good 1 0
	one shared-process 1 1 'left the process .* sleep'
	one shared-setting 1 1 'changed settings: > .*threads-max:77'
	one shared-splat 1 1 'kernel complained: .*not really'
	one shared-panic 0 1 'Kernel panic'
	one shared-last 1 0
	rm -f build/check/shared-{good,process,setting,splat,panic,last}.*
else
	for name in good process setting splat panic last; do
		result skip "shared-$name" "no VM or module; run make"
	done
fi
totals
