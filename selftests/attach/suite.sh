# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the suites of this folder share; to be sourced with $here set. $BUILD is the build
# directory, $CHESSCTL the chessctl to test; $out, a folder of the suite's own, has what it
# said: its stdout in answer, its stderr in said.

BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"

# says WORDS: in the answer or among the notes; what was said is shown where it fails
says() { cat "$out/answer" >>"$out/said"; grep -q -- "$1" "$out/said"; }

# forget: what was said before. In the background a shell empties a file some time later; until
# then the words that a test waits for may be those of the command before.
forget() { : >"$out/answer"; : >"$out/said"; : >"$out/work"; }

# number KEY: of the JSON object that was the answer
number() { sed -n "s/.*\"$1\": *\([0-9]*\).*/\1/p" "$out/answer" | head -1; }

no_groups() { [ "$("$CHESSCTL" status)" = "no groups" ]; }
