#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Holds what chessctl says of the end of a program against how it ended (ends.c, throws.cc): the
# verdict, the task, signal and address, what a monitor in the program said, the output it had
# written; what a child may die of; and the options about that. Run inside the VM, as root,
# with the module loaded.
#
# CHESSCTL  the chessctl to test (default BUILD/chessctl)
# BUILD     build directory (default ../../build)
# Usage: verdicts.sh; KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../../build}
CHESSCTL=${CHESSCTL:-$BUILD/chessctl}
ENDS=$BUILD/selftests/verdicts/ends
THROWS=$BUILD/selftests/verdicts/throws
HELPER=$BUILD/selftests/programs/wrong/sigterm_helper
LIMIT=200
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"
# shellcheck source=selftests/said.sh
. "$here/../said.sh"

need "$CHESSCTL" "$ENDS" "$THROWS" "$HELPER"
own_folder verdicts

count=0
planned=53

# explore ARG...: one run of it, unless a bound is among them
explore()
{
	chess explore --host --no-bpf --points all --strategy icb --bound 0 --out "$out/traces" "$@"
}

# row NAME CODE PATTERN...: what was said last
row()
{
	local name=$1 bad=0

	shift
	said "$@" || { bad=1; sed 's/^/# /' "$out/said"; }
	count=$((count + 1))
	result $bad "$name"
}

# end MODE CODE PATTERN...: ends with MODE, by default
end()
{
	local mode=$1

	shift
	explore -- "$ENDS" "$mode"
	row "$mode" "$@"
}

echo "KTAP version 1"
echo "1..$planned"

# A crash: signal, address, instruction, and the stack at the fault.
end crashes 1 '^crash:' '^T0 killed by SIGSEGV at address 0x10: nothing is mapped there$' \
	'instruction 0x[0-9a-f]+ in poke\(\) at ends.c' 'called by crash\(\) at ends.c'
end divides 1 '^crash:' '^T0 killed by SIGFPE at address 0x[0-9a-f]+: integer divided by zero$' \
	'instruction 0x[0-9a-f]+ in divides\(\)'
end reads_beyond 1 '^crash:' 'SIGSEGV at address 0x[0-9a-f]+: the memory there does not allow'
end aborts 1 '^assert:' '^T0 killed by SIGABRT$' 'called by aborts\(\) at ends.c'

# The death of a child is expected where its parent asked and all went well.
end child_checked 0 '^ok:' 'in 1 run a process or thread died of a signal'
end child_by_waitid 0 '^ok:' 'in 1 run a process or thread died of a signal'
end child_unchecked 1 '^crash:' '^T1 killed by SIGSEGV'
end child_failed 1 '^crash:' '^T1 killed by SIGSEGV'
end child_left 1 '^crash:' '^T1 killed by SIGSEGV'
end child_forgotten 1 '^crash:' '^T1 killed by SIGSEGV'
end child_executes 1 '^crash:' '^T1 killed by SIGSEGV'
# So is that of a thread by seccomp, if its process lives and ends well.
end thread_removed 0 '^ok:' 'in 1 run a process or thread died of a signal'
end process_removed 1 '^crash:' '^T0 killed by SIGSYS'
explore --no-expect-signal -- "$ENDS" thread_removed
row 'nor that of a thread with --no-expect-signal' 1 '^crash:' '^T1 killed by SIGSYS'
explore --no-expect-signal -- "$ENDS" child_checked
row 'no death is expected with --no-expect-signal' 1 '^crash:' '^T1 killed by SIGSEGV'
chess replay --host --no-expect-signal x
row 'replay judges as the trace says, it has no such option' 2 'unknown option'
for trace in "$out"/traces/ends-crash-*.trace; do last=$trace; done
chess replay --host "$last"
row 'and replays so' 1 'crash reproduced'
explore --expect-signal SEGV,ABRT -- "$ENDS" child_executes
row 'an expected signal of a child' 0 '^ok:'
explore --expect-signal 11 -- "$ENDS" crashes
row 'an expected signal of the program itself' 0 '^ok:'
explore --expect-signal SIGABRT -- "$ENDS" crashes
row 'another signal than that' 1 '^crash:'
explore --expect-signal NONE -- "$ENDS" crashes
row 'no such signal' 2 "takes signals, as SEGV,ABRT, not 'NONE'"

# Exit codes.
end returns_77 1 '^exit:' '^T0 ended with exit status 77'
explore --ok-exit 2,70-79 -- "$ENDS" returns_77
row 'an exit code that is as good as 0' 0 '^ok:'
explore --ok-exit 7 -- "$ENDS" returns_77
row 'another one than that' 1 '^exit:'
explore --ok-exit 256 -- "$ENDS" returns_77
row 'no such exit code' 2 'takes exit codes from 0 to 255'

# What monitors say.
end heap_of_a_thread 1 '^crash:' 'found by glibc: tcache_thread_shutdown\(\): unaligned'
end own_abort 1 '^assert:' '!found by'
end rust_main 1 '^assert:' "found by Rust: thread 'main' panicked at src/main.rs"
end rust_worker 1 '^assert:' 'ended with exit status 0' "found by Rust: thread '<unnamed>' panicked"
explore --ignore-monitor rust -- "$ENDS" rust_worker
row 'a monitor that is not listened to' 0 '^ok:'
explore --ignore-monitor valgrind -- "$ENDS" rust_worker
row 'no such monitor' 2 'takes glibc, .*UndefinedBehaviorSanitizer'
end go_asleep 1 '^deadlock:' 'found by Go: fatal error: all goroutines are asleep' '!while others continue'
end go_map 1 '^race:' 'found by Go: fatal error: concurrent map writes'
end go_panic 1 '^assert:' 'found by Go: panic: send on closed channel'
end tsan 1 '^race:' 'found by ThreadSanitizer: WARNING: ThreadSanitizer: data race'
end asan 1 '^memory:' 'found by AddressSanitizer: .*heap-use-after-free'
end lsan 1 '^memory:' 'found by LeakSanitizer: .*detected memory leaks'
explore -- "$THROWS"
row 'an exception that nobody catches' 1 '^assert:' '^T1 killed by SIGABRT$' \
	'called by main::' "found by C\+\+: terminate called after throwing an instance of 'std::runtime_error'" \
	'what\(\):  no such key'
explore -- "$THROWS" overflow
row 'an overflow that the program does not notice' 1 '^assert:' \
	'found by UndefinedBehaviorSanitizer: .*runtime error: signed integer overflow'

# The end of its output, and JSON.
end speaks 1 '^exit:' "the program's stdout" '\| not ok 1 - the sum is 2'
explore --json -- "$ENDS" speaks
row 'its output as JSON' 1 '"stdout":"not ok 1 - the sum is 2\\n"' '"exit_status":1' '"signal":null'
explore --json -- "$ENDS" child_left
row 'the death of a child as JSON' 1 '"exit_status":null' '"signal":11' '"dead_task":1' \
	'"address":16' '"instruction":"poke\(\) at ends.c:[0-9]+"' '"crash\(\) at ends.c:[0-9]+"'

# Of all who wait only those in the cycle are named.
end bystander 1 '^deadlock:' '^  T1 waits for T2, T2 for T1$'
explore --json -- "$ENDS" bystander
row 'the cycle as JSON' 1 '"verdict":"deadlock"' '^    1,$' '^    2$'

# Processes that wait for each other for ever while their parent goes on.
for what in sems locks pipes; do
	explore --max-points 1000 -- "$ENDS" ${what}_cross
	row "${what}_cross" 1 '^deadlock of some tasks, while others continue:' '^  T1 waits for T2, T2 for T1$'
done
for trace in "$out"/traces/ends-deadlock-*.trace; do last=$trace; done
chess replay --host "$last"
row 'which replays, however long the others go on' 1 'deadlock reproduced: 1 of 1'
explore --max-points 1000 -- "$ENDS" sems_given
row 'one that the parent ends' 0 '^ok:'

# A worker that dies in some schedules only, and is replaced.
explore --bound 1 -- "$ENDS" worker_replaced
row 'a worker that dies in some schedules' 1 '^crash:' 'killed by SIGSEGV at address 0x0'
for trace in "$out"/traces/ends-crash-*.trace; do last=$trace; done
chess replay --host "$last"
row 'which replays as well' 1 'crash reproduced: 1 of 1'
explore --bound 1 --jobs 2 -- "$ENDS" worker_replaced
row 'in whatever process it was made' 1 '^crash:' 'killed by SIGSEGV at address 0x0'

# The helper was ended on purpose; the worker died.
explore --bound 1 -- "$HELPER"
row 'whose death it was' 1 '^crash:' '^T2 killed by SIGSEGV at address 0x0' '!killed by SIGTERM' \
	'instruction 0x[0-9a-f]+ in work\(\)'
[ "$count" -eq "$planned" ] || failed=$((failed + 1))
totals
