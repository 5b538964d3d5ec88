#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Proves that the directories of libchessctl are layers: no file includes a header of a directory
# above its own, and no object calls a function defined in one. Each directory there, in bpf, cli
# and kmod has a README of at most 40 lines that names each of its files. Run by run.sh with
# CHESS_BUILD set; output is KTAP.

top=${CHESS_TREE:-$(cd "$(dirname "$0")/../.." && pwd)}
build=$(cd "${CHESS_BUILD:-$top/build}" && pwd) || exit 1
cd "$top" || exit 1
export LC_ALL=C
. selftests/ktap.sh

# From the lowest to the highest; base are the files in libchessctl itself.
layers=(base record module code iroot race wait run trace live search shrink)

declare -A level
for i in "${!layers[@]}"; do level[${layers[i]}]=$i; done

# Room of a path below libchessctl.
room_of() { case $1 in */*) echo "${1%%/*}" ;; *) echo base ;; esac; }

says() { [ -z "$1" ] || sed 's/^/# /' <<<"$1"; [ -z "$1" ]; }

# Every directory has its place in the list.
unplaced=
for dir in libchessctl/*/; do
	dir=$(basename "$dir")
	[ "$dir" = include ] || [ -n "${level[$dir]}" ] || unplaced+="$dir has no place in the layers"$'\n'
done

# "file room-of-the-header" of each include that goes up.
includes_up()
{
	local file header from to

	grep -roE --include='*.[ch]' '^#include "[a-z_]+/[a-z_0-9]+\.h"' libchessctl |
		tr -d '"' | sed 's/:#include / /' | while read -r file header; do
		[ -e "libchessctl/$header" ] || continue
		from=$(room_of "${file#libchessctl/}") to=$(room_of "$header")
		[ "${level[$from]}" -ge "${level[$to]}" ] || echo "$file includes $header"
	done
}

# Functions and variables of each object, then what each object wants: "D room name", "U room
# name object".
symbols()
{
	local object room

	find "$build/libchessctl" -name '*.o' | sort | while read -r object; do
		room=$(room_of "${object#"$build/libchessctl/"}")
		nm "$object" | awk -v room="$room" -v object="${object#"$build/"}" '
			$(NF - 1) ~ /^[TDBRC]$/ { print "D", room, $NF }
			$(NF - 1) == "U" { print "U", room, $NF, object }'
	done
}

calls_up()
{
	symbols | sort | awk -v order="${layers[*]}" '
		BEGIN { n = split(order, name); for (i = 1; i <= n; i++) level[name[i]] = i }
		$1 == "D" { home[$3] = $2; next }
		$3 in home && level[home[$3]] > level[$2] {
			print $4 " calls " $3 " of " home[$3] }'
}

readmes()
{
	local dir file base

	for dir in bpf cli cli/* kmod kmod/* libchessctl libchessctl/*; do
		[ -d "$dir" ] && [ "$dir" != libchessctl/include ] || continue
		[ -f "$dir/README.md" ] || { echo "$dir has no README.md"; continue; }
		[ "$(wc -l <"$dir/README.md")" -le 40 ] || echo "$dir/README.md has over 40 lines"
		for file in "$dir"/*.[ch]; do
			[ -e "$file" ] || continue
			# Made by the build.
			case $file in *.mod.c) continue ;; esac
			base=$(basename "$file")
			grep -qF -e "\`$base\`" -e "\`${base%.?}.[ch]\`" "$dir/README.md" ||
				echo "$dir/README.md does not name $base"
		done
	done
}

objects=$(find "$build/libchessctl" -name '*.o' | wc -l)

echo "KTAP version 1"
echo "1..5"
says "$unplaced"
result $? "every directory of the library is a layer"
says "$(includes_up)"
result $? "no include goes up"
# Without objects nothing would be looked at.
[ "$objects" -ge "$(find libchessctl -name '*.c' | wc -l)" ]
result $? "the library's objects are there"
says "$(calls_up)"
result $? "no call goes up"
says "$(readmes)"
result $? "each directory has a short README that names its files"
totals
