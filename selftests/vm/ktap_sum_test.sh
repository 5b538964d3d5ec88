#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# scripts/ktap-sum: output that does not prove success counts as a failure.
# A unit of its own because every other result passes through it.

set -u
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh

# sums NAME EXIT_CODE INPUT EXPECTED
sums()
{
	local got

	got=$(printf '%b' "$3" | scripts/ktap-sum -v "code=$2" 2>/dev/null)
	[ "$got" = "$4" ] || echo "# expected $4, got $got"
	[ "$got" = "$4" ]
	result $? "$1"
}

echo "KTAP version 1"
echo "1..15"
sums counts_each_kind 1 'KTAP version 1\n1..3\nok 1 a\nnot ok 2 b\nok 3 c # SKIP why\n' '1 1 1'
sums counts_subtests_in_place_of_their_parent 1 \
	'1..2\n  1..2\n  ok 1 a\n  not ok 2 b\nnot ok 1 x\nok 2 y\n' '2 1 0'
sums failed_parent_of_good_subtests_fails 1 '1..1\n  1..1\n  ok 1 a\nnot ok 1 x\n' '1 1 0'
sums accepts_a_trailing_plan 0 'ok 1 a\nok 2 b\n1..2\n' '2 0 0'
sums accepts_several_documents 0 \
	'KTAP version 1\n1..1\nok 1 a\nKTAP version 1\n1..1\nok 1 b\n' '2 0 0'
sums ignores_other_lines 0 '1..1\n# note\nprogram output\nok 1 a\n' '1 0 0'
sums skip_of_everything_is_a_skip 4 '1..0 # SKIP no module\n' '0 0 1'
sums nothing_is_a_failure 0 '' '0 1 0'
sums results_without_plan_fail 0 'ok 1 a\n' '1 1 0'
sums truncated_output_fails 0 '1..3\nok 1 a\nok 2 b\n' '2 1 0'
sums truncated_subtests_fail 0 '1..1\n  1..2\n  ok 1 a\nok 1 x\n' '1 1 0'
sums repeated_number_fails 0 '1..2\nok 1 a\nok 1 b\n' '2 1 0'
sums bad_exit_code_fails 139 '1..1\nok 1 a\n' '1 1 0'
sums bail_out_fails 0 '1..1\nok 1 a\nBail out! no memory\n' '1 1 0'
# What is said before a result is that test's, and ten lines of it are enough.
said=$(printf '%b' "1..3\n# of a\nok 1 a\n$(printf '# %s of b\\n' {1..12})not ok 2 b\n# of c\nok 3 c\n" |
	scripts/ktap-sum 2>&1 >/dev/null | grep '^#')
[ "$said" = "$(printf '# %s of b\n' {3..12})" ]
result $? says_what_a_failed_test_said "$said"
totals
