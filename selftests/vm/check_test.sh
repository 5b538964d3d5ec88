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
echo "1..3"
check --vm-only --kernel /none --module /none ktap
result $? named_host_suite_runs_with_another_kernel
check --vm-only --kernel /none --module /none ktap none-of-these
[ $? = 1 ] && grep -q "no suite 'none-of-these'" "$out/said" &&
	grep -q '1 failed$' "$out/said"
result $? unknown_suite_is_a_failure
check --units-only ktap
[ $? = 1 ] && grep -q "no suite 'ktap'" "$out/said"
result $? suite_that_is_left_out_is_a_failure
totals
