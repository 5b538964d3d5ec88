#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Pages of "explore --html" in a headless Chromium, on the host: of a search that finds a bug, of
# one that finds none, and of a program whose name is markup. What is tried stands in search.py.
#
# BUILD  build directory (default ../../build)
# Usage: search.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
top=$(cd "$here/../.." && pwd) || exit 1
BUILD=$(cd "${BUILD:-$top/build}" && pwd) || exit 1
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"

command -v chromium >/dev/null && command -v chromedriver >/dev/null ||
	skip_all "no chromium; run scripts/install-deps.sh browser"
programs=$BUILD/selftests/programs
need "$BUILD/chessctl" "$BUILD/chess-vm" "$programs/wrong/abba" "$programs/correct/rwlock"
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
chmod 755 "$out"
cd "$out" || exit 1
hostile='"><img src=x onerror=document.title=1>'
cp "$programs/wrong/abba" "$hostile"

# search NAME CODE PROGRAM ARG...: in the VM, as a user would do it
search()
{
	local name=$1 wanted=$2 program=$3

	shift 3
	"$BUILD/chessctl" explore --vm --json --out "traces-$name" --html "pages-$name" "$@" \
		-- "$program" >"$name.json" 2>"$name.err"
	[ $? = "$wanted" ] && return
	cat "$name.json" "$name.err" >&2
	echo "search.sh: the search of $name did not end with $wanted" >&2
	exit 1
}

search bugs 1 "$programs/wrong/abba" --keep-going
search none 0 "$programs/correct/rwlock"
search hostile 1 "./$hostile"
"$here/search.py" bugs none hostile
