#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Pages of "show --html" in a headless Chromium, on the host: those of programs that fail, found
# in one VM, and of traces that are made here: 200,000 events, 64 tasks, names that are markup.
# What is tried with each stands in pages.py.
#
# PROGRAMS  programs of programs/wrong, or "all" (default: one of each kind of verdict)
# BUILD     build directory (default ../../build)
# Usage: html.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
top=$(cd "$here/../.." && pwd) || exit 1
BUILD=$(cd "${BUILD:-$top/build}" && pwd) || exit 1
PROGRAMS=${PROGRAMS:-abba philosophers cond_if outlives_main file_counter fork_mutex}
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"

command -v chromium >/dev/null && command -v chromedriver >/dev/null ||
	skip_all "no chromium; run scripts/install-deps.sh browser"
need "$BUILD/chessctl" "$BUILD/chess-vm" "$BUILD/selftests/html/make_trace"
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
wrong=$BUILD/selftests/programs/wrong
[ "$PROGRAMS" != all ] ||
	PROGRAMS=$(find "$wrong" -type f -executable -printf '%f\n' | sort)

# All in one VM; where no trace is left, the page is missed below.
mkdir "$out/traces"
cd "$top" || exit 1
# shellcheck disable=SC2086 # a list
"$BUILD/chess-vm" --timeout 3600 --outbox "$out/traces" -- \
	"$here/traces.sh" "$BUILD" "$out/traces" $PROGRAMS >"$out/said" 2>&1
for program in $PROGRAMS; do
	"$BUILD/chessctl" show "$out/traces/$program.trace" --html "$out/$program.html" \
		>>"$out/said" 2>&1
done
for kind in "long 200000" wide hostile; do
	# shellcheck disable=SC2086 # one word or two
	"$BUILD/selftests/html/make_trace" "$out/trace" $kind >>"$out/said" 2>&1 &&
		"$BUILD/chessctl" show "$out/trace" --html "$out/${kind%% *}.html" >>"$out/said" 2>&1
done

pages=()
for name in $PROGRAMS long wide hostile; do
	if [ -s "$out/$name.html" ]; then
		pages+=("$out/$name.html")
	else
		tail -n 40 "$out/said" >&2
		echo "html.sh: there is no page of $name" >&2
		exit 1
	fi
done
"$here/pages.py" "${pages[@]}"
