#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# chessctl doctor -- PROGRAM: a program without a source of nondeterminism is
# deterministic and nothing is named; each of the others (source.c) is not, and what it
# reads is named, as text and as JSON. Run inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C NO_COLOR=1
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
chessctl=$BUILD/chessctl
source=$BUILD/selftests/doctor/source
waits=$BUILD/selftests/time/waits

[ -x "$chessctl" ] && [ -x "$source" ] && [ -x "$waits" ] ||
	skip_all "no $source; run make tests"
out=$(mktemp -d) || exit 1
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$out"' EXIT
cd "$out" || exit 1

ktap_output=$out/got

doctor()
{
	"$chessctl" doctor --host "$@" >got 2>&1
	code=$?
}

# named NAME SENTENCE PROGRAM...: exit code 4, and a line that holds SENTENCE. Some
# clocks tick only every 10 ms, so that a few runs may all be before the next.
named()
{
	local name=$1 sentence=$2 ok try

	shift 2
	# On a busy machine the others may do nothing between doctor's start and its look.
	for try in 1 2 3; do
		doctor --runs 12 -- "$@"
		[ $code = 4 ] && grep -q '^not deterministic: ' got && grep -qF -- "$sentence" got
		ok=$?
		[ $ok = 0 ] && break
		echo "# try $try of $name"
	done
	result $ok "$name"
}

# clean NAME PROGRAM...: exit code 0, and no input is named
clean()
{
	local name=$1

	shift
	doctor -- "$@"
	[ $code = 0 ] && grep -q '^deterministic: .* 5 of 5 runs are identical' got &&
		! grep -q '^inputs' got && ! grep -q '^note' got
	result $? "$name"
}

# Others in the system: one writes to a file, one answers on a port and a socket.
python3 -u -c 'import itertools, os, select, socket, sys, time
a = socket.socket(); a.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
a.bind(("127.0.0.1", 7010)); a.listen()
b = socket.socket(socket.AF_UNIX); b.bind(sys.argv[1]); b.listen()
for i in itertools.count():
    with open(sys.argv[2] + ".new", "w") as f: f.write(str(i))
    os.rename(sys.argv[2] + ".new", sys.argv[2])
    if i == 0: print("ready")
    for s in select.select([a, b], [], [], 0.05)[0]:
        c = s.accept()[0]; c.send(str(i).encode()); c.close()' "$out/socket" "$out/changing" >ready &
until [ -s ready ]; do
	kill -0 $! 2>/dev/null || exit 1
	sleep 0.1
done

echo "KTAP version 1"
echo "1..20"

clean nothing_is_named_that_is_controlled "$source" controlled
# Answered from the group's clock, so it is no source.
clean processor_clock_is_controlled "$source" cpu-clock
clean times_is_controlled "$source" times
clean threads_and_time_outs "$waits" worker 20
clean processes_and_pipes sh -c 'sleep 10 & echo a | cat; wait'
clean deadlines "$waits" signal
# So is this instruction, by its trap.
clean time_stamp_counter_is_controlled "$source" rdtsc

# Whether an instruction is executed nobody sees; that it is there is said.
if grep -qw rdrand /proc/cpuinfo; then
	named rdrand 'rdrand  1 time, the first in read_processor_random+' "$source" rdrand
else
	result skip rdrand "this processor has no rdrand"
fi
named uptime 'reads /proc/uptime, which' "$source" file /proc/uptime
named uuid 'reads /proc/sys/kernel/random/uuid, which' "$source" file /proc/sys/kernel/random/uuid
named own_statistics '/schedstat, which' "$source" file /proc/self/schedstat
named file_that_others_write "opens $out/changing, which was written to" \
	"$source" file "$out/changing"
# Its times are controlled, and page faults may well be the same all the time.
doctor -- "$source" usage
grep -q 'getrusage() returns page faults' got
result $? usage
# Seconds, and free memory: so with these.
doctor -- "$source" sysinfo
grep -q 'sysinfo() returns uptime' got
result $? sysinfo
named port_of_others 'speaks to 127.0.0.1 port 7010, which is not its own' "$source" port
named socket_of_others "speaks to $out/socket, which is not its own" "$source" socket "$out/socket"
# Out of a shell, by a program that it executes.
# shellcheck disable=SC2016 # for that shell
named source_of_a_child 'reads /proc/uptime, which' sh -c 'true; "$1" file /proc/uptime; true' \
	sh "$source"
doctor --real-time -- "$source" controlled
[ $code = 4 ] && grep -q '^time: real (--real-time)' got
result $? real_time

doctor --json -- "$source" file /proc/uptime
differs=$code
mv got differs.json
doctor --json --runs 3 -- "$source" controlled
same=$code
mv got same.json
# One interpreter for both: its start takes seconds in an emulated machine.
python3 - >said 2>&1 <<'END'
import json, traceback

def check(name):
    o = json.load(open(name + ".json"))
    print(o, flush=True)
    if name == "same":
        assert o["deterministic"] is True and o["runs"] == o["identical"] == 3
        assert o["inputs"] == [] and o["output"] == [] and o["differences"] == []
        return
    assert o["deterministic"] is False and o["complete"] is True
    assert o["runs"] == 5 and 1 <= o["identical"] < 5
    assert o["inputs"] == ["reads /proc/uptime, which the kernel changes all the time"]
    assert o["output"][0]["stream"] == "stdout" and o["output"][0]["line"] == 1
    assert o["output"][0]["expected"] != o["output"][0]["seen"]
    assert {i["instruction"] for i in o["instructions"]} == {"rdrand"}

for name in "differs", "same":
    try:
        check(name)
        open(name + ".good", "w")
    except Exception:
        traceback.print_exc()
END
ktap_output=$out/said
[ $differs = 4 ] && [ -e differs.good ]
result $? json_of_one_that_is_not
[ $same = 0 ] && [ -e same.good ]
result $? json_of_one_that_is
totals
