# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# KTAP for suites that are bash scripts; to be sourced from the top of the tree. A suite
# prints the version and the plan, then calls result for each test and totals at its end.

n=0 passed=0 failed=0 skipped=0

# skip_all WHY: there is nothing to test with
skip_all()
{
	echo "KTAP version 1"
	echo "1..0 # SKIP $1"
	exit 4
}

# wanted NAME [PATTERN...]: was it asked for? Where nothing was, all are.
wanted()
{
	local name=$1 pattern

	shift
	[ $# = 0 ] && return 0
	for pattern; do
		# shellcheck disable=SC2254 # a pattern it is
		case $name in $pattern) return 0 ;; esac
	done
	return 1
}

# need FILE...: programs without which there is nothing to test
need()
{
	local file

	for file; do
		[ -x "$file" ] || skip_all "no $file; run make tests"
	done
}

# near FILE...: in the VM they are copied into its memory, since the host is asked each time a
# file of its own is opened or closed, and what is executed over and over is opened as often
near()
{
	local file

	[ -n "${CHESS_VM_UID:-}" ] && [ -w / ] || return 0
	for file; do
		# To open it for writing is to copy it up; nothing is written. What runs stays.
		[ ! -f "$file" ] || { : >>"$file"; } 2>/dev/null || true
	done
}

# What chessctl and the suites themselves execute and open, once in a VM
near_tools()
{
	local lib=/lib/x86_64-linux-gnu

	[ -z "${CHESS_NEAR:-}" ] || return 0
	export CHESS_NEAR=y
	near "${CHESSCTL:-${BUILD:-build}/chessctl}" /usr/bin/{timeout,grep} \
		$lib/lib{nl-genl-3.so.200,nl-3.so.200,bpf.so.1,z.so.1,dw.so.1,elf.so.1} \
		$lib/lib{json-c.so.5,Zydis.so.4.0,lzma.so.5,bz2.so.1.0,pcre2-8.so.0}
}

# own_folder NAME: $out, which goes with the suite; what failed is expected in $out/said
own_folder()
{
	out=$(mktemp -d "${TMPDIR:-/tmp}/chess-$1.XXXXXX") || exit 1
	trap 'rm -rf "$out"' EXIT
	ktap_output=$out/said
	near_tools
}

# result STATUS NAME [WHY]: before a failure, as KTAP has it, the end of the file $ktap_output,
# if it is set, and WHY; status "skip": it was not tried, and why not
result()
{
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
		echo "ok $n $2"
	elif [ "$1" = skip ]; then
		skipped=$((skipped + 1))
		echo "ok $n $2 # SKIP $3"
	else
		failed=$((failed + 1))
		[ -z "${ktap_output:-}" ] || tail -n 40 "$ktap_output" | sed 's/^/# /'
		[ -z "${3:-}" ] || sed 's/^/# /' <<<"$3"
		echo "not ok $n $2"
	fi
}

# totals: the last line; its status is the suite's
totals()
{
	echo "# Totals: pass:$passed fail:$failed xfail:0 xpass:0 skip:$skipped error:0"
	[ $failed = 0 ]
}
