#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Measures in the VM and writes docs/results-maple.md: the evaluation of Maple (OOPSLA'12) beside
# ours. Called by "make results-maple" with everything built. What was measured stays in
# build/results-maple; PARTS has some of it measured again. See selftests/memo/paper.sh.

set -u
cd "$(dirname "$0")/.." || exit 1
out=$PWD/build/results-maple
words=(OUT="$out")
for name in TIME RUNS SEEDS COVER PARTS; do
	[ -n "${!name:-}" ] && words+=("$name=${!name}")
done
mkdir -p "$out" || exit 1
build/chess-vm --cpus 1 --timeout 7200 --outbox "$out" -- env "${words[@]}" selftests/memo/paper.sh || exit
selftests/memo/paper.py "$out" >"$out/page.md" && mv "$out/page.md" docs/results-maple.md
