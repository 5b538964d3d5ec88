#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Executes the recipes docs/ci/github.yml and docs/ci/gitlab.yml line by line, each in a fresh
# Debian 12 that has nothing but its base system (debootstrap): GitHub's on a project without a
# bug, for which the job has to succeed, and GitLab's on one with a deadlock, for which it has to
# fail and keep the trace. GitHub's steps after the one that builds chess run on the other project,
# too. chess is cloned from this tree's HEAD. What the services' own actions do is done here: a
# checkout, PATH from GITHUB_PATH, what is kept. Needs root, 8 GB of disk and Debian's packages
# (apt); takes half an hour, or more on a busy machine.
#
# BUILD   build directory (default ../../build); all happens in BUILD/ci
# ONLY    github or gitlab (default both)
# Usage: ci.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
top=$(cd "$here/../.." && pwd) || exit 1
BUILD=${BUILD:-$top/build}
dir=$BUILD/ci
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"

[ "$(id -u)" = 0 ] || skip_all "needs root, to make a root file system"
python3 -c 'import yaml' 2>/dev/null ||
	skip_all "no python3-yaml; run scripts/install-deps.sh projects"
command -v debootstrap >/dev/null || skip_all "no debootstrap; run scripts/install-deps.sh projects"
mirror=$(apt-get indextargets --format '$(SITE) $(CODENAME)' 'Created-By: Packages' |
	awk '$2 == "bookworm" { print $1; exit }')
[ -n "$mirror" ] || skip_all "apt knows no mirror of Debian 12 here"

# Mount points are removed only when nothing is mounted there.
clean()
{
	local root

	for root in "$dir"/*/root; do
		umount "$root/proc" "$root/dev" 2>/dev/null
		mountpoint -q "$root/proc" || mountpoint -q "$root/dev" || rm -rf "$root"
	done
}
trap clean EXIT
trap 'exit 130' INT TERM HUP
clean
rm -rf "$dir"
mkdir -p "$dir" || exit 1
ktap_output=$dir/log

# base ROOT: as the image debian:bookworm, with the sources of this machine's apt
base()
{
	debootstrap --variant=minbase bookworm "$1" "$mirror" >"$dir/log" 2>&1 || return
	cp /etc/resolv.conf /etc/hosts "$1/etc/"
	cp -r /etc/apt/sources.list.d /etc/apt/apt.conf.d "$1/etc/apt/"
	[ ! -s /etc/apt/sources.list ] || cp /etc/apt/sources.list "$1/etc/apt/"
	printf '#!/bin/sh\nexit 101\n' >"$1/usr/sbin/policy-rc.d"
	chmod +x "$1/usr/sbin/policy-rc.d"
	git clone -q --bare "$top" "$1/chess.git"
}

# project DIR NAME: a Makefile and a test program, right or wrong
project()
{
	mkdir -p "$1"
	cp "$here/ci_project.c" "$1/tests.c"
	printf 'build/tests: tests.c\n\tmkdir -p build\n\t$(CC) -g -pthread %s -o $@ $<\n' \
		"$([ "$2" = wrong ] && echo -DWRONG)" >"$1/Makefile"
}

# step SERVICE FILE SHELL...: in the project's folder, with the job's environment
step()
{
	local root=$dir/$1/root file=$2

	shift 2
	cp "$file" "$root/step"
	chroot "$root" /usr/bin/env -i HOME=/root "PATH=$path" DEBIAN_FRONTEND=noninteractive \
		RUNNER_TEMP=/temp GITHUB_PATH=/temp/path CI_PROJECT_DIR=/project CI=true \
		"${env[@]}" /bin/sh -c 'cd /project && exec "$@"' step "$@" /step \
		>>"$dir/log" 2>&1 </dev/null
}

# job SERVICE FROM: its steps from that number on, until one fails. Return: the exit code of that
job()
{
	local root=$dir/$1/root steps=$dir/$1/steps n code=0 more

	mkdir -p "$root/temp"
	: >"$root/temp/path"
	for ((n = $2; ; n++)); do
		if [ -e "$steps/$n.uses" ]; then
			case $(cat "$steps/$n.uses") in
			actions/checkout | actions/upload-artifact) ;;
			*)
				echo "no such action here: $(cat "$steps/$n.uses")" >>"$dir/log"
				return 99 ;;
			esac
		elif [ ! -e "$steps/$n.sh" ]; then
			break
		elif [ "$1" = github ]; then
			step "$1" "$steps/$n.sh" sh -e
			code=$?
		else
			step "$1" "$steps/$n.sh" bash -eo pipefail
			code=$?
		fi
		[ $code = 0 ] || return $code
		while read -r more; do
			path=$more:$path
		done <"$root/temp/path"
		: >"$root/temp/path"
	done
}

# kept SERVICE: the paths that are kept are there
kept()
{
	local path

	while read -r path; do
		[ -z "$path" ] || [ -e "$dir/$1/root/project/$path" ] ||
			{ echo "$path is not there" >>"$dir/log"; return 1; }
	done <"$dir/$1/steps/kept"
	xmllint --noout --schema "$here/junit.xsd" "$dir/$1/root/project/traces/results.xml" \
		>>"$dir/log" 2>&1
}

recipe()
{
	local root=$dir/$1/root steps=$dir/$1/steps plain=/usr/sbin:/usr/bin:/sbin:/bin
	local env from code line path

	mkdir -p "$root"
	"$here/ci_steps.py" "$1" "$top/docs/ci/$1.yml" "$steps" >"$dir/log" 2>&1 &&
		grep -qx debian:bookworm "$steps/image" && base "$root" &&
		mount -t proc proc "$root/proc" && mount --bind /dev "$root/dev"
	code=$?
	result $code "$1: a fresh Debian 12"
	[ $code = 0 ] || return
	env=()
	while read -r line; do
		env+=("${line/#CHESS_SOURCE=/CHESS_SOURCE=file:///chess.git}")
	done <"$steps/env"

	path=$plain from=1
	if [ "$1" = github ]; then
		project "$root/project" right
		job "$1" 1 && kept "$1"
		result $? "$1: all steps succeed, of a project without a bug"
		rm -rf "$root/project"
		: >"$dir/log"
		from=$(grep -l '^make build/tests' "$steps"/*.sh)
		from=$(basename "$from" .sh)
	fi
	project "$root/project" wrong
	job "$1" "$from"
	code=$?
	[ $code = 1 ] && kept "$1" && ls "$root"/project/traces/*deadlock*.trace >>"$dir/log" 2>&1
	result $? "$1: steps from $from on fail with 1 for a deadlock, whose trace is kept"
}

echo "KTAP version 1"
case ${ONLY:-} in
github) echo 1..3 ;;
gitlab) echo 1..2 ;;
*) echo 1..5 ;;
esac
for service in ${ONLY:-github gitlab}; do
	recipe "$service"
	cp "$dir/log" "$dir/$service.log"
done
totals
