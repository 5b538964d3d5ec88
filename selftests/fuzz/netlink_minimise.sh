#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Make the log of a crash small: netlink_minimise.sh LOG [ARGUMENT OF chess-vm...]. LOG is
# what netlink_fuzz wrote with LOG=DIR before the VM died. Acts are left out, by halves and
# then ever fewer at once, for as long as the VM dies of the rest, each time in a new one.
# On the host, from the top of the tree; what is left is LOG.small.

set -u
log=$1
shift
fuzz=build/selftests/fuzz/netlink_fuzz
small=$log.small
try=$log.try

# 3: no VM any more. A refusal, or a test of netlink_fuzz that failed, is something else.
dies()
{
	build/chess-vm --timeout 300 "${@:2}" -- env TIME=240 "$fuzz" --replay "$1" \
		>"$log.out" 2>&1 </dev/null
	[ $? = 3 ]
}

cp "$log" "$small" || exit 1
dies "$small" "$@" || { echo "the VM survives $log; see $log.out"; exit 1; }
n=0
while "$fuzz" --cut $n 1 "$small" >/dev/null; do
	n=$((n + 1000))
done
for ((step = n / 2; step > 0; step /= 2)); do
	from=0
	while "$fuzz" --cut $from $step "$small" >"$try"; do
		if dies "$try" "$@"; then
			mv "$try" "$small"
			echo "without $step acts from $from on it dies, too"
		else
			from=$((from + step))
		fi
	done
done
rm -f "$try"
echo "$small: build/chess-vm -- $fuzz --replay $small"
