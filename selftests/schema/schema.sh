#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What each command prints with --json, in as many forms as it has (bugs of several kinds and
# none, searches that end and that do not, processes that are attached to), is what
# docs/schema/chessctl.json says: no key more, none less. Run inside the VM, as root, with the
# module loaded.
#
# BUILD  build directory (default build)
# KEEP   a folder for the objects, so that they can be looked into
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C NO_COLOR=1
here=$(cd "$(dirname "$0")" && pwd) || exit 1
cd "$here/../.." || exit 1
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
chessctl=$BUILD/chessctl
wrong=$BUILD/selftests/programs/wrong
correct=$BUILD/selftests/programs/correct
races=$BUILD/selftests/programs/races
attach=$BUILD/selftests/attach

for f in "$wrong/abba" "$correct/mutex_once" "$attach/serve" "$BUILD/selftests/harness/account"; do
	[ -x "$f" ] || skip_all "no $f; run make tests"
done
out=$(mktemp -d) || exit 1
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$out"' EXIT
cd "$out" || exit 1
mkdir objects

echo "KTAP version 1"

# made KIND NAME CODES ARG...: the object is objects/NAME.KIND.json; it exits with one of CODES
made()
{
	local kind=$1 name=$2 codes=$3 code

	shift 3
	"$chessctl" "$@" >"objects/$name.$kind.json" 2>err </dev/null
	code=$?
	if [[ " $codes " == *" $code "* ]] && [ -s "objects/$name.$kind.json" ]; then
		result 0 "$kind, $name"
	else
		result 1 "$kind, $name" "exit code $code, expected $codes: $(cat err)"
		rm -f "objects/$name.$kind.json"
	fi
}

search() { made explore "$1" "$2" explore --host --json --out "$out/traces" "${@:3}"; }

search deadlock 1 -- "$wrong/abba"
search "signal" 1 -- "$wrong/use_after_destroy"
search failed 1 -- "$wrong/lost_update"
search livelock 1 -- "$wrong/blind_spin"
search lost_wakeup 1 --keep-going --runs 40 -- "$wrong/lost_signal"
search ok 0 --bound 1 -- "$correct/mutex_once"
search explain 0 --explain -- "$correct/mutex_once"
"$chessctl" explore --host --progress json --bound 1 --out "$out/traces" -- "$correct/mutex_once" \
	>/dev/null 2>lines </dev/null
tail -n 1 lines >objects/last.progress.json
grep -q '"done":true' objects/last.progress.json
result $? "progress ends with the result of the search" "$(cat lines)"
search limit 4 --runs 2 --strategy icb --points sync -- "$correct/mutex_once"
search chance 4 --runs 3 --strategy random -- "$correct/mutex_once"
search scope 0 --bound 1 --preempt-in mutex_once --no-early --watchdogs never -- \
	"$correct/mutex_once"

trace=$out/traces/abba-deadlock-1.trace
for t in "$out"/traces/*.trace; do
	[ -e "$t" ] || continue
	name=$(basename "$t" .trace)
	made show "$name" 0 show --format json "$t"
	made show-at "$name" 0 show --format json --at 5 "$t"
done
made replay all 1 replay --host --json --times 2 "$trace"
made shrink deadlock 1 shrink --host --no-bpf --json --times 2 --out "$out/small.trace" "$trace"
made races none 0 races --host --json --runs 2 --out "$out/traces" -- "$correct/mutex_once"
made races default "0 1 4" races --host --json --runs 2 --out "$out/traces" -- "$races/default/cxx_map"
made races found "0 1 4" races --host --json --runs 3 --out "$out/traces" -- "$wrong/double_checked"
made test cases 0 test --host --json --out "$out/traces" -- "$BUILD/selftests/harness/account"
made test tap "0 1 4" test --host --json --runs 3 --out "$out/traces" -- "$BUILD/selftests/harness/tap"
made test single "0 1 4" test --host --json --harness none --out "$out/traces" -- "$wrong/abba"
made doctor machine "0 3" doctor --json
made vm status 0 vm --json status
made doctor-program same 0 doctor --host --json -- "$correct/mutex_once"
made doctor-program differs 4 doctor --host --json --runs 5 -- "$BUILD/selftests/doctor/source" file /proc/uptime
made status none 0 status --json

# serve: a service that waits for a request; $pid
serve()
{
	coproc service { exec "$attach/serve"; }
	# shellcheck disable=SC2154 # set by coproc
	read -r pid <&"${service[0]}"
}

serve
"$chessctl" attach "$pid" --record "$out/first" >said 2>&1 &
owner=$!
for ((i = 0; i < 100; i++)); do
	"$chessctl" status --no-bpf | grep -q "attached to process $pid" && break
	sleep 0.2
done
made status attached 0 status --json
"$chessctl" detach "$pid"
wait $owner
made attach record "0 1" attach "$pid" --record "$out/trace" --for 1 --json
made attach perturb "0 1" attach "$pid" --perturb=7 --for 1 --json
made attach-observe healthy 0 attach "$pid" --observe --for 1 --json
kill -9 "$pid"
wait "$pid" 2>/dev/null

"$attach/deadlock_service" "$out/socket" >said 2>&1 &
pid=$!
until [ -S "$out/socket" ]; do sleep 0.1; done
made attach-explore ok "0 1 4" attach "$pid" --explore --bound 0 --out "$out/traces" --json \
	--each "exec $attach/deadlock_client $out/socket 'transfer 2' work"
made attach-catch nothing "0 1" attach "$pid" --catch --for 1 --json
kill -9 "$pid"
wait "$pid" 2>/dev/null

[ -z "${KEEP:-}" ] || cp objects/* "$KEEP/"
"$here/schema.py" "$here/../../docs/schema/chessctl.json" objects/*.json >checked 2>&1
code=$?
result $code "each is what the schema says" "$(cat checked)"
echo "1..$n"
totals
