#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Names of tasks and of C++ functions in every view of a run: the report, its JSON, the state at
# an event, the page, the exports, step with a program and with a trace, and gdb. Run inside the VM,
# as root, with the module loaded; without gdb that test is skipped.
#
# BUILD  build directory (default build)
# KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

set -u
export LC_ALL=C NO_COLOR=1
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh
BUILD=$(realpath "${BUILD:-build}")
chessctl=$BUILD/chessctl
named=$BUILD/selftests/names/named
need "$chessctl" "$named"
own_folder names
# No settings of gdb; for all runs, since the environment moves the stack.
export HOME=$out
near "$named"

# has PATTERN...: lines of what was said; no name of a function is as the linker has it
has()
{
	local pattern bad=0

	for pattern; do
		grep -Eq -- "$pattern" "$out/said" || { echo "# no '$pattern'"; bad=1; }
	done
	! grep -q '_ZN\|_Z[0-9]' "$out/said" || { echo "# a function is not demangled"; bad=1; }
	return $bad
}

# show OPTION...: of the trace
show()
{
	"$chessctl" show "$@" "$trace" >"$out/said" 2>&1
}

echo "KTAP version 1"
echo "1..14"
"$chessctl" explore --host --no-bpf --bound 1 --out "$out/traces" -- "$named" >"$out/said" 2>&1
[ $? = 1 ] && ! grep -q 'no names of tasks' "$out/said" &&
	has 'named: T0 bank, T1 idle[?]one, T2 true, T3 teller$' 'money::account<long>::pay\(\) at named.cc'
result $? "explore"
trace=$(echo "$out"/traces/*.trace)
[ "$(grep -c '^name T' "$trace")" = 4 ] && grep -qx 'name T1 "idle\\none"' "$trace"
result $? "the trace"
show && has 'named: T0 bank, T1 idle[?]one, T2 true, T3 teller$' 'money::account<long>::pay\(\) at named.cc'
result $? "the report"
show --format json && grep -q '"name": *"teller"' "$out/said" && has '"name": *"true"'
result $? "the JSON of the report"
end=$(grep -c '^event ' "$trace")
show --at "$end" && has '^   T0 +bank +blocked .* lock money::to' '^   T1 +idle[?]one ended$' \
	'^   T2 +true +ended$' '^   T3 +teller +blocked .*money::account<long>::pay'
result $? "the state at an event"
"$chessctl" show --html "$out/said" "$trace" && has '"name":"teller, money::account[^"]*::pay[(][)]"' \
	'"name":"true[",]'
result $? "the page"
bad=0
for format in perfetto shiviz dot mermaid collapsed; do
	show --format $format && has teller || { echo "# $format"; bad=1; }
done
show --format sarif && has 'T3' || bad=1
result $bad "the exports"
show --label '^tell(.*)=cashier \1' --label 'main=first' &&
	has 'named: T0 first, T1 idle[?]one, T2 true, T3 cashier er$'
result $? "labels come before names, and know functions"
printf '%s\n' 'until function pay' 'until end' |
	"$chessctl" step --host --no-bpf -- "$named" >"$out/said" 2>&1
has '^  > T0 bank +join ' '^    T1 idle[?]one start' '^  > T3 teller +lock money::to +money::account<long>::pay'
result $? "step with a program"
printf 'until function money::account<long>::pay\n' |
	"$chessctl" step --host --no-bpf "$trace" >"$out/said" 2>&1
has '^    T0 bank +lock money::' '^  > T3 teller +lock money::to +money::account<long>::pay'
result $? "step with a trace"
printf 'until function pay\n' |
	"$chessctl" step --host --no-bpf --label teller=cashier "$trace" >"$out/said" 2>&1
has 'T3 cashier +lock money::to '
result $? "step with labels"
if type gdb >/dev/null 2>&1; then
	printf '%s\n' 'chess tasks' 'set confirm off' quit |
		timeout 120 "$chessctl" replay --host --gdb --at deciding "$trace" >"$out/said" 2>&1
	has 'T0 +bank +' 'T3 +teller +'
	result $? "gdb"
else
	result skip "gdb" "no gdb"
fi
# As older chessctls wrote it, with the texts of calls alone.
grep -v '^name \|^checksum ' "$trace" | sed '1s/.*/chess-trace 22/' >"$out/old.trace"
python3 - "$out/old.trace" <<'END'
import sys
body = open(sys.argv[1], "rb").read()
h = 0xCBF29CE484222325
for c in body:
    h = ((h ^ c) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
open(sys.argv[1], "ab").write(b"checksum %016x\n" % h)
END
trace=$out/old.trace
show && has '^  named: T1 idle.*one$'
result $? "an older trace has the names of calls, and no others"
"$chessctl" replay --host --times 5 "$(echo "$out"/traces/*.trace)" >"$out/said" 2>&1
[ $? = 1 ] && grep -q '5 of 5 replays, records identical bit for bit' "$out/said"
result $? "it replays"
totals
