#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The part of kselftest.sh that runs in the VM: each program of DIR/kselftest-list.txt by itself,
# at bound 0 and at bound 1. What chessctl test says of it goes to OUT/BOUND-NUMBER.json. Those
# that have an answer there already are left out, so that a VM that ran out of time can be
# followed by another one.
#
# Usage: CHESSCTL=... TIME0=S TIME1=S LIMIT=S kselftest_inside.sh DIR OUT

dir=$1 out=$2
dmesg -n 1
n=0
while read -r name; do
	n=$((n + 1))
	program=$dir/${name/:/\/}
	for bound in 0 1; do
		to=$out/$bound-$n.json time=TIME$bound
		[ ! -s "$to" ] || continue
		# In its own folder: some open files there.
		cd "${program%/*}" || exit 1
		# What chessctl says when it is interrupted is all it knows by then.
		timeout -s INT -k 60 "$LIMIT" "$CHESSCTL" test --host --json --no-bpf --points all \
			--strategy icb --no-early --bound "$bound" --time "${!time}" \
			--out "$out/traces" -- "$program" >"/tmp/answer" 2>"$out/$bound-$n.err" </dev/null
		cp /tmp/answer "$to"
	done
done <"$dir/kselftest-list.txt"
