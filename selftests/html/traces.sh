#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A trace of each of some programs of programs/wrong, as the comments at their heads have it: with
# their options, and livelocks cut short, or a search takes longer than all others together. Run
# inside the VM by html.sh.
#
# Usage: traces.sh BUILD FOLDER NAME...: FOLDER/NAME.trace; one line for each that is missed.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=$1
folder=$2
shift 2
export LC_ALL=C
CHESSCTL=$BUILD/chessctl
# shellcheck disable=SC2034 # expect.sh reads it: seconds one chessctl may take
LIMIT=300
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"
# shellcheck source=selftests/json.sh
. "$here/../json.sh"
# shellcheck source=selftests/expect.sh
. "$here/../expect.sh"

own_folder html
for name; do
	explore_wrong "$here/../programs/wrong/$name.c" "$BUILD/selftests/programs/wrong/$name"
	# shellcheck disable=SC2154 # expect.sh sets it
	cp "$trace" "$folder/$name.trace" || echo "traces.sh: there is no trace of $name"
done
