# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
#
# Suites of programs in a language that the project does not install; to be sourced by bash
# scripts, from the top of the tree. They define build(), which fills $PROGRAMS.

# language NAME COMPILER SECONDS [--inside]: on the host, builds and starts this suite again in
# the VM, for so long at most; there, makes it ready to test
language()
{
	BUILD=$(realpath "${BUILD:-build}")
	PROGRAMS=$BUILD/selftests/programs/$1
	TIMES=${TIMES:-20}
	. selftests/ktap.sh
	if [ "${4:-}" != --inside ]; then
		command -v "$2" >/dev/null || skip_all "no $2"
		mkdir -p "$PROGRAMS" && build || exit 1
		exec "$BUILD/chess-vm" --timeout "$3" -- env BUILD="$BUILD" TIMES="$TIMES" "$0" --inside
	fi
	CHESSCTL=$BUILD/chessctl
	. selftests/json.sh
	. selftests/expect.sh
	prepare "$1"
	options=()
}
