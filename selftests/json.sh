# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What chessctl --json printed, for suites that are bash scripts; to be sourced. In the
# shell itself: where the VM is emulated, the start of an interpreter takes seconds.

# answer_from FILE: the object in it is what look looks at
answer_from()
{
	answer=
	read -r -d '' answer <"$1"
}

# look KEY: its value goes to $value. For keys before any nested object, since the first
# one is it.
look()
{
	value=
	[[ $answer =~ \"$1\":\"?([^\",}]*) ]] && value=${BASH_REMATCH[1]//\\\//\/}
}

# says KEY VALUE: does the answer?
says()
{
	look "$1"
	[ "$value" = "$2" ]
}
