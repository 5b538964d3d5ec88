#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# chessctl --probe: bugs that only points of the user's own reach are found and replayed,
# right programs are ok with the number of runs the model gives, files that cannot be used
# get one sentence and leave nothing behind. Run inside the VM, as root, with the module.
#
# BUILD  build directory (default build)
# TIMES  how often a bug is replayed (default 100)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C NO_COLOR=1
cd "$(dirname "$0")/../.." || exit 1
top=$PWD
BUILD=$(realpath "${BUILD:-build}")
TIMES=${TIMES:-100}
chessctl=$BUILD/chessctl
files=$BUILD/selftests/bpf
. selftests/ktap.sh
. selftests/json.sh
[ -x "$chessctl" ] && [ -x "$files/account" ] && [ -f "$files/spin.bpf.o" ] ||
	skip_all "no $files/spin.bpf.o; run make tests"
printf '6.12\n%s\n' "$(uname -r)" | sort -CV ||
	skip_all "BPF programs of probes cannot call a module before Linux 6.12"
out=$(mktemp -d) || exit 1
# for an ordinary user as well
chmod 755 "$out"
trap 'rm -rf "$out"' EXIT
cd "$out" || exit 1
ktap_output=$out/got

# expected NAME: what the program's comment says behind "expect:"
expected()
{
	sed -n 's/^ \* expect: //p' "$top/selftests/bpf/$1.c"
}

explore()
{
	"$chessctl" explore --host --json --points all --strategy icb "$@" >got 2>err
	code=$?
	answer_from got
	cat err >>got
}

# replay TIMES TRACE: as often as that, each time the same
replay()
{
	"$chessctl" replay --host --json --times "$1" "$2" >got 2>err
	code=$?
	answer_from got
	says identical "$1"
}

# Nothing holds the module: no BPF program that calls it is loaded.
nothing_left()
{
	for _ in {1..50}; do
		[ "$(cat /sys/module/chess/refcnt)" = 0 ] && return
		sleep 0.1
	done
	return 1
}

echo "KTAP version 1"
echo "1..35"

for name in account usdt; do
	probe=$files/spin.bpf.o
	[ $name = usdt ] && probe=$files/usdt.bpf.o
	explore --bound 2 -- "$files/$name"
	[ $code = 0 ] && says verdict ok
	result $? "$name: without --probe the bug is out of reach"

	explore --bound 1 --probe "$probe" -- "$files/$name"
	[ $code = 1 ] && says verdict assert && look preemptions &&
		expected $name | grep -q "^preemptions=$value "
	result $? "$name: with --probe it is found"
	look trace

	replay "$TIMES" "$value" && [ $code = 1 ]
	result $? "$name: its trace, which knows the file, replays $TIMES of $TIMES times"

	runs=
	for bound in 0 1 2; do
		explore --bound $bound --probe "$probe" -- "$files/$name" right
		[ $code = 0 ] && says verdict ok && look runs && runs=$runs,$value
	done
	[ "$(expected $name | sed 's/.*runs=//')" = "${runs#,}" ]
	result $? "$name: the right one is ok in as many runs as the model has (${runs#,})"
done

"$chessctl" run --host --probe "$files/spin.bpf.o" --record right.trace -- "$files/account" right \
	>got 2>&1 && replay $((2 * TIMES)) right.trace && [ $code = 0 ]
result $? "run --record and $((2 * TIMES)) replays are identical"

"$chessctl" doctor --host --probe "$files/spin.bpf.o" -- "$files/account" right >got 2>&1
result $? "doctor finds it deterministic"

explore --bound 1 --probe "$files/spin.bpf.o" --probe "$files/usdt.bpf.o" -- "$files/usdt"
[ $code = 3 ]
result $? "two files are two files: the first is for another program"

explore --bound 1 --overlay --probe "$files/spin.bpf.o" -- "$files/account"
[ $code = 1 ]
result $? "--overlay hides no function"

# refused NAME CODE SENTENCE PROBE: one line, that exit code, nothing on stdout
refused()
{
	local name=$1 want=$2 sentence=$3

	shift 3
	"$chessctl" run --host --probe "$@" -- "$files/account" >out 2>got
	code=$?
	[ $code = "$want" ] && [ ! -s out ] && [ "$(wc -l <got)" = 1 ] &&
		grep -qF -- "$sentence" got && nothing_left
	result $? "$name"
}

bad=$files/bad
echo 'no object file' >text.bpf.o
printf '\177ELF' >short.bpf.o
refused "refused: no such file" 2 "probe 'none.bpf.o' cannot be read: No such file" none.bpf.o
refused "refused: a folder" 2 "probe '/' is not a regular file" /
refused "refused: no ELF file" 3 "'text.bpf.o' is not a BPF object file: compile it with" text.bpf.o
refused "refused: a torn ELF file" 3 "'short.bpf.o' is not a BPF object file" short.bpf.o
refused "refused: an ELF file for the processor" 3 "is not a BPF object file" "$files/account"
refused "refused: no BTF" 3 "has no types of its programs (BTF): compile it with clang -g" \
	"$bad/no_btf.bpf.o"
refused "refused: other arguments" 3 \
	"declares chess_point() with other arguments than it has; include chess.bpf.h" \
	"$bad/arguments.bpf.o"
refused "refused: a pointer as object" 3 \
	"the kernel refuses program 'point' of '$bad/pointer.bpf.o': R1 is not a scalar" \
	"$bad/pointer.bpf.o"
refused "refused by the verifier" 3 "R1 invalid mem access 'scalar'" "$bad/verifier.bpf.o"
refused "refused: not GPL" 3 "non-GPL compatible program" "$bad/license.bpf.o"
refused "refused: another type of program" 3 "calling kernel function chess_point is not allowed" \
	"$bad/type.bpf.o"
refused "refused: no such function in the program" 3 "there is no function 'no_such_function'" \
	"$bad/function.bpf.o"
refused "refused: no such USDT probe" 3 "usdt/PROGRAM:list:no_such_probe" "$bad/provider.bpf.o"
refused "refused: nobody offers the kfunc" 3 "calls chess_pawn(), which neither" "$bad/kfunc.bpf.o"
refused "refused: a section that does not say where" 3 "does not say what to attach to" \
	"$bad/section.bpf.o"
refused "refused: a section libbpf does not know" 3 "which libbpf does not know" \
	"$bad/unknown_section.bpf.o"
refused "refused: no program in it" 3 "holds no BPF program" "$bad/empty.bpf.o"

echo 1 >/sys/module/chess/parameters/unprivileged
setpriv --reuid 65534 --regid 65534 --clear-groups "$chessctl" run --host \
	--probe "$files/spin.bpf.o" -- "$files/account" >out 2>got
[ $? = 3 ] && grep -q 'BPF programs need root' got && nothing_left
result $? "refused: no rights"

cp "$files/spin.bpf.o" mine.bpf.o
explore --bound 1 --probe mine.bpf.o -- "$files/account"
look trace
trace=$value
cp "$files/returns.bpf.o" mine.bpf.o
cat "$files/spin.bpf.o" >mine.bpf.o && echo >>mine.bpf.o
"$chessctl" replay --host "$trace" >got 2>&1
[ $? = 1 ] && grep -q "^chessctl: WARNING: probe '$out/mine.bpf.o' is not the file" got
result $? "replay says that a probe file changed"
rm mine.bpf.o
"$chessctl" replay --host "$trace" >out 2>got
[ $? = 2 ] && [ "$(wc -l <got)" = 1 ] &&
	grep -q "was made with probe '$out/mine.bpf.o', which is not there any more" got
result $? "replay says that a probe file is gone"
"$chessctl" replay --host --probe "$files/spin.bpf.o" "$trace" >out 2>got
[ $? = 1 ]
result $? "replay takes another one"

# The module without its types; put back as it was.
for module in "$top/kmod/chess.ko" "$top"/build/kernel/*-module/kmod/chess.ko; do
	[ "$(modinfo -F vermagic "$module" 2>/dev/null | cut -d ' ' -f 1)" = "$(uname -r)" ] && break
done
objcopy -R .BTF "$module" chess.ko 2>got && nothing_left && rmmod chess >>got 2>&1 &&
	insmod ./chess.ko >>got 2>&1 && "$chessctl" run --host -- "$files/account" right >>got 2>&1 &&
	dmesg | grep -q 'chess: no BTF of kernel and module: BPF programs cannot make points'
result $? "a module without BTF works, and says what is missing"
refused "refused: a module without BTF" 3 "the module offers no chess_point()" "$files/spin.bpf.o"
rmmod chess && insmod "$module"
nothing_left
totals
