#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What tools can check of the style, as "make style" does; skipped where one is missing.
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

cd "$(dirname "$0")/.." || exit 1
. selftests/ktap.sh
ktap_output=$(mktemp) || exit 1
trap 'rm -f "$ktap_output"' EXIT

scripts/install-deps.sh --check style >/dev/null 2>&1 ||
	skip_all "a tool that 'make style' needs is missing; scripts/install-deps.sh style"
git ls-files --error-unmatch "$0" >/dev/null 2>&1 || skip_all "this is no git checkout"
echo "KTAP version 1"
echo "1..1"
scripts/style.sh >"$ktap_output" 2>&1
result $? "make style has nothing to say"
totals
