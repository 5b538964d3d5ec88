#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Rust's own locks, rust/NAME.rs: they are atomic instructions that are inlined, and futexes
# where somebody waits. By default explore finds the wrong program, whose locks nobody ever
# waits for, and its trace replays; its mended twin, built with --cfg mended, is ok and
# complete with at most one preemption. Builds them on the host, and runs them in the VM.
#
# BUILD  build directory (default build)
# TIMES  replays of each trace (default 20)
# Usage: rust.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped: there is no rustc.

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. selftests/programs/language.sh

build()
{
	local src name

	for src in selftests/programs/rust/*.rs; do
		name=$(basename "$src" .rs)
		rustc -g -C panic=abort -o "$PROGRAMS/$name" "$src" &&
			rustc -g -C panic=abort --cfg mended -o "$PROGRAMS/${name}_mended" "$src" ||
			return 1
	done
}

language rust rustc 1500 "$@"
declare -A expected=([verdict]=assert)
# Half a megabyte of code is decoded, and has 17,000 accesses: a run takes longer.
LIMIT=600

echo "KTAP version 1"
echo "1..3"
bad=0
chessctl 1 explore --host --json --no-bpf --out "$out/traces" -- "$PROGRAMS/lost_update"
is verdict assert
look trace
# shellcheck disable=SC2154 # json.sh sets it
trace=$value
result $bad "an update that is lost between two locks is found"
replays lost_update
bad=0
chessctl 0 explore --host --json --no-bpf --bound 1 --out "$out/traces" -- "$PROGRAMS/lost_update_mended"
is verdict ok
is complete true
result $bad "the same under one lock is ok"
totals
