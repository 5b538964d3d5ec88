#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Of each deadlock of deadlocks.c the report must name the cycle, in it the line each
# task waits at, and the line at which the one it waits for took or gave what is waited
# for: as marked in the source. What outside.c waits for must not be called a deadlock.
# Run inside the VM, as root, with the module loaded.
#
# BUILD  build directory (default build); KTAP on stdout; exit 0, 1 or 4 (skipped).

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
dir=$BUILD/selftests/deadlocks
need "$BUILD/chessctl" "$dir/deadlocks" "$dir/outside"
command -v python3 >/dev/null || skip_all "no python3"
own_folder deadlocks
holders=()
trap 'kill "${holders[@]}" 2>/dev/null; rm -rf "$out"' EXIT
mapfile -t cases < <("$dir/deadlocks")
outside=(terminal fifo socket listener lock child)

echo "KTAP version 1"
echo "1..$((${#cases[@]} * 2 + ${#outside[@]} + 1))"

# One of them with what BPF reads as well; to load that takes seconds.
for name in "${cases[@]}"; do
	bpf=--no-bpf
	[ "$name" = pipes ] && bpf=
	# shellcheck disable=SC2086 # an option or none
	timeout 60 "$BUILD/chessctl" explore --host $bpf --bound 0 --json --out "$out/$name" \
		-- "$dir/deadlocks" "$name" >"$out/$name.json" 2>"$out/$name.said" </dev/null
done

# One process for all, since each costs as much as a deadlock.
python3 - "$out" selftests/deadlocks/deadlocks.c "${cases[@]}" <<'END'
import json, re, sys, traceback

out, source, *names = sys.argv[1:]
lines = list(enumerate(open(source), 1))

def check(name):
    found = json.load(open("%s/%s.json" % (out, name)))
    mark = {}
    for number, line in lines:
        m = re.search(r"/\* %s T(\d) (waits|has) \*/" % name, line)
        if m:
            mark[int(m[1]), m[2]] = "deadlocks.c:%d" % number
    print("cycle", found["cycle"], "waits", json.dumps(found["waits"], indent=1), mark, file=said)
    assert found["verdict"] == "deadlock" and found["runs"] == 1
    assert sorted(found["cycle"]) == sorted(t for t, what in mark if what == "waits")
    waits = {w["task"]: w for w in found["waits"]}
    for w in found["waits"]:
        if name == "pipes":
            assert w["kernel"].startswith("pipe_read"), w
            assert re.match("pipe, 0 of [0-9]+ slots full; written through fd [0-9]+ of "
                            "T0's process$", w["object"]), w
        else:
            assert not w["kernel"] and not w["object"], w
    if name == "mutexes2":
        # T0 runs first, to the barrier; T1 is the last one there and lets it go.
        assert waits[0]["woken"]["by"]["task"] == 1 and not waits[1]["woken"]
        assert waits[0]["woken"]["by"]["op"] == "barrier"
    for at, task in enumerate(found["cycle"]):
        wait = waits[task]
        after = found["cycle"][(at + 1) % len(found["cycle"])]
        assert wait["where"].endswith(mark[task, "waits"]), task
        assert wait["stack"][0] == wait["where"], task
        if not task:
            assert wait["stack"][-1].startswith("main() at deadlocks.c:"), task
        holder = [h for h in wait["holders"] if h["task"] == after]
        assert len(holder) == 1, task
        if (after, "has") in mark:
            assert holder[0]["where"].endswith(mark[after, "has"]), task
        else:
            assert holder[0]["how"] == "may", task

for name in names:
    said = open("%s/%s.said" % (out, name), "a")
    try:
        check(name)
        open("%s/%s.good" % (out, name), "w")
    except Exception:
        traceback.print_exc(file=said)
END

for name in "${cases[@]}"; do
	ktap_output=$out/$name.said
	[ -e "$out/$name.good" ]
	result $? "${name}_is_explained"
	ktap_output=$out/said
	timeout 60 "$BUILD/chessctl" replay --host --times 3 "$out/$name"/*.trace \
		>"$out/said" 2>&1 </dev/null
	[ $? = 1 ] && grep -q "waits for T" "$out/said"
	result $? "${name}_replays_with_its_cycle"
done

# The other ends, in processes that are not of the group.
mkfifo "$out/fifo"
: >"$out/lock"
install -o root -m 4755 /bin/sleep "$out/sleep"
mkdir "$out/traces"
chmod 755 "$out"
chmod 777 "$out/traces"
python3 - "$out" <<'END' &
import fcntl, os, pty, socket, sys, time

out = sys.argv[1]
master, slave = pty.openpty()
os.symlink(os.ttyname(slave), out + "/terminal")
fifo = os.open(out + "/fifo", os.O_RDWR)
lock = open(out + "/lock")
fcntl.flock(lock, fcntl.LOCK_EX)
listening = socket.socket(socket.AF_UNIX)
listening.bind(out + "/socket")
listening.listen(5)
os.chmod(out + "/socket", 0o777)
open(out + "/ready", "w")
kept = []
while True:
    kept.append(listening.accept())
END
holders+=($!)
for _ in $(seq 100); do
	[ -e "$out/ready" ] && break
	sleep 0.1
done

echo 1 >/sys/module/chess/parameters/unprivileged
for name in "${outside[@]}"; do
	file=$out/$name
	who=()
	# Only who is not root rises.
	[ "$name" = child ] && file=$out/sleep who=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	timeout 60 "${who[@]}" "$BUILD/chessctl" explore --host --no-bpf --run-timeout 1 --bound 0 \
		--json --out "$out/traces" \
		-- "$dir/outside" "$name" "$file" >"$out/json" 2>"$out/said" </dev/null
	cat "$out/json" >>"$out/said"
	grep -qE '"verdict":"(timeout|incomplete)"' "$out/json" &&
		{ grep -q '"verdict":"incomplete"' "$out/json" ||
			grep -q '"outside":true' "$out/json"; }
	result $? "${name}_is_no_deadlock"
done

# While it goes on: sh waits for its children, one sleeps, one reads what the other may write.
cat >"$out/check.py" <<'END'
import json, re, sys

group, = json.load(open(sys.argv[1]))["groups"]
sh, sleeps, reads = group["tasks"]
assert group["state"] == "running" and group["token"] is None
assert [t["name"] for t in group["tasks"]] == ["sh", "sleep", "cat"]
assert all(t["state"] == "blocked" and not t["enabled"] for t in group["tasks"])
assert sh["object"] == "2 children, 0 ended" and "do_wait" in sh["kernel"]
assert sleeps["wait"].startswith("clock_nanosleep") and sleeps["object"] is None
assert re.match("pipe, 0 of 16 slots full; written through fd 1 of T1's process$", reads["object"])
END
"$BUILD/chessctl" run --host --real-time -- sh -c 'sleep 600 | cat' >"$out/said" 2>&1 </dev/null &
holders+=($!)
# Until all three have come to where they stay: how long that takes is the machine's.
for _ in $(seq 20); do
	"$BUILD/chessctl" status --json >"$out/json" 2>"$out/said"
	cat "$out/json" >>"$out/said"
	python3 "$out/check.py" "$out/json" 2>>"$out/said"
	shown=$?
	[ "$shown" -eq 0 ] && break
	sleep 0.5
done
result $shown status_shows_what_tasks_wait_on
totals
