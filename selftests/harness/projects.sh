#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Test programs of other projects with threads in them, from Debian's source packages, with
# chessctl test in the place of their runner: leveldb (GoogleTest, by CTest), libnetconf2 (cmocka),
# libcork (Check) and wayland (a runner of its own, by Meson). Fetches them with apt-get source and
# builds them on the host, in BUILD/projects; searches them in the VM, case by case, with at most
# one preemption, for some seconds each. None is known to have a bug in what is searched, so a
# result that fails fails here.
#
# BUILD  build directory (default ../../build)
# TIME   seconds each case is searched (default 5)
# ONLY   names of projects (default all)
# Usage: projects.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
top=$(cd "$here/../.." && pwd) || exit 1
BUILD=${BUILD:-$top/build}
work=$BUILD/projects
sources=$work/sources
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"

need "$BUILD/chessctl" "$BUILD/chess-vm"
for tool in cmake meson ninja dpkg-source; do
	command -v $tool >/dev/null || skip_all "no $tool; run scripts/install-deps.sh projects"
done

# The sources of the packages that this machine's apt knows, with lists of their own.
apt_source()
{
	apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/parts" \
		-o Dir::State::Lists="$work/lists" -o APT::Sandbox::User=root "$@"
}

fetch()
{
	local package=$1

	[ ! -d "$sources/$package" ] || return 0
	if [ ! -s "$work/parts/debian.sources" ]; then
		sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources \
			>"$work/parts/debian.sources" 2>/dev/null
		sed -n 's/^deb \(.*bookworm\)/deb-src \1/p' /etc/apt/sources.list \
			>"$work/parts/debian.list" 2>/dev/null
		apt_source update || return
	fi
	(cd "$work" && apt_source --download-only source "$package") || return
	dpkg-source -x "$work/$package"_*.dsc "$sources/$package"
}

# build PROJECT: to $work/PROJECT
build()
{
	local from=$sources/$1 to=$work/$1 version

	case $1 in
	leveldb)
		# CTest puts the launcher in front of programs.
		cmake -S "$from" -B "$to" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DHAVE_SNAPPY=0 \
			-DHAVE_CRC32C=0 -DHAVE_TCMALLOC=0 -DLEVELDB_BUILD_BENCHMARKS=0 \
			-DCMAKE_CROSSCOMPILING_EMULATOR="$work/launcher" &&
			cmake --build "$to" -j2 --target env_test ;;
	libnetconf2)
		cmake -S "$from" -B "$to" -DENABLE_BUILD_TESTS=ON -DENABLE_TESTS=ON \
			-DENABLE_VALGRIND_TESTS=OFF -DENABLE_SSH=OFF -DENABLE_TLS=OFF \
			-DCMAKE_BUILD_TYPE=Debug && cmake --build "$to" -j2 --target test_fd_comm ;;
	libcork)
		# As debian/rules do.
		sed -i s:-Werror:-Wextra: "$from/CMakeLists.txt"
		version=$(dpkg-parsechangelog -l "$from/debian/changelog" -S Version)
		DEB_VERSION_UPSTREAM=${version%-*} cmake -S "$from" -B "$to" \
			-DCMAKE_BUILD_TYPE=RelWithDebInfo -DENABLE_STATIC=NO \
			-DENABLE_SHARED_EXECUTABLES=YES -DENABLE_SHARED_TESTS=YES &&
			cmake --build "$to" -j2 --target test-threads ;;
	wayland)
		[ -d "$to" ] || meson setup "$to" "$from" -Ddocumentation=false \
			-Ddtd_validation=false
		ninja -C "$to" tests/display-test tests/queue-test ;;
	esac
}

# In the VM: how the project's own tool, or a person, begins the tests.
inside()
{
	local options=(--host --no-bpf --points all --bound 1 --time "$TIME" --out /tmp/traces)

	PATH=$BUILD:$PATH
	export TERM=dumb
	case $1 in
	leveldb)
		cd "$work/$1" && CHESS_TEST_OPTIONS="${options[*]}" ctest -V -R '^env_test$' ;;
	libnetconf2)
		cd "$work/$1" && chessctl test "${options[@]}" -- tests/test_fd_comm ;;
	libcork)
		cd "$work/$1" && chessctl test "${options[@]}" -- tests/test-threads ;;
	wayland)
		# Its runner limits the time of a test with an alarm that has a handler.
		meson test -C "$work/$1" --no-rebuild --verbose --timeout-multiplier 20 \
			--wrapper "chessctl test --early-max 1 ${options[*]} --" \
			--test-args threading_errors_tst display-test ;;
	esac >"$work/out/$1" 2>&1 </dev/null
	echo $? >"$work/out/$1.code"
}

if [ "${1:-}" = inside ]; then
	inside "$2"
	exit
fi
mkdir -p "$work"/{parts,lists/partial,sources,out} || exit 1
rm -f "$work"/out/*
printf '#!/bin/sh\n# shellcheck disable=SC2086\nexec chessctl test $CHESS_TEST_OPTIONS -- "$@"\n' \
	>"$work/launcher"
chmod +x "$work/launcher"
# shellcheck disable=SC2086
set -- ${ONLY:-leveldb libnetconf2 libcork wayland}
echo "KTAP version 1"
echo "1..$#"
for project; do
	ktap_output=$work/$project.log
	if ! { fetch "$project" && build "$project"; } >"$work/$project.log" 2>&1; then
		result 1 "$project: fetched and built"
		continue
	fi
	"$BUILD/chess-vm" --cpus 1 --timeout 900 --outbox "$work/out" -- env BUILD="$BUILD" \
		TIME="${TIME:-5}" "$here/projects.sh" inside "$project" >&2
	# Lines of results, also behind what CTest and Meson put in front.
	sed -E 's/^ *[0-9]+: //' "$work/out/$project" |
		grep -E '^ *(not )?ok [0-9]' >"$work/out/$project.results"
	passed_cases=$(grep -cE '^ *ok ' "$work/out/$project.results")
	failed_cases=$(grep -cE '^ *not ok ' "$work/out/$project.results")
	ktap_output=$work/out/$project
	[ "$failed_cases" = 0 ] && [ "$passed_cases" -gt 0 ]
	result $? "$project: $passed_cases results, none fails"
done
totals
