#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# gcc's static analyzer over the files of the library that read what somebody else wrote.
# Prints what it says, ends 1 if it says anything. Called by "make analyze".
#
# Leaks are not asked for: gcc 12 does not see that arrays of array.h go through memcpy() to
# where their owner frees them, and the fuzzers look for leaks. For the same reason it takes
# the array of schedule.c, which has just got its room, for NULL.

cd "$(dirname "$0")/.." || exit 1
readers=(trace/{trace,trace_read,trace_race,trace_token} search/journal run/pack
	record/{schedule,record} race/suppress
	code/{image,variable,elf_file,functions,symbols,heap,code,access}
	module/{nl,nl_group,nl_record,nl_run})
read -r -a include < <(pkg-config --cflags-only-I libnl-genl-3.0)
found=0

for name in "${readers[@]}"; do
	not=(-Wno-analyzer-malloc-leak)
	[ "$name" = record/schedule ] && not+=(-Wno-analyzer-null-dereference)
	said=$(gcc -O1 -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -fanalyzer \
		-fdiagnostics-plain-output -Ilibchessctl/include -Ilibchessctl -Iinclude/uapi \
		"${include[@]}" "${not[@]}" -c -o /dev/null "libchessctl/$name.c" 2>&1) ||
		found=1
	[ -z "$said" ] && continue
	found=1
	echo "$said"
done
[ $found = 0 ] && echo "analyze: ${#readers[@]} files, nothing to say"
exit $found
