#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Golden tests of chessctl that need no module and no VM: help texts, usage
# errors, what programs and traces are refused with, and the report of a
# committed trace. Run by run.sh with CHESS_BUILD set; output is KTAP.
#
# cli_test.sh --write rewrites the golden files in cli_test.d; read the diff.

here=$(cd "$(dirname "$0")" && pwd)
golden=$here/cli_test.d
top=${CHESS_TREE:-$(cd "$here/../.." && pwd)}
build=$(cd "${CHESS_BUILD:-$top/build}" && pwd) || exit 1
chessctl=$build/chessctl
# shellcheck source=selftests/ktap.sh
. "$here/../ktap.sh"
write=
[ "$1" = --write ] && write=1

make -s -f "$top/cli/Makefile" BUILD="$build" "$chessctl" >&2 || exit 1
work=$(mktemp -d) || exit 1
elsewhere=$(mktemp -d /tmp/chess-cli.XXXXXX) || exit 1
trap 'rm -rf "$work" "$elsewhere"' EXIT
cd "$work" || exit 1

# No module must be found by accident, and none loaded into this kernel.
export CHESS_MODULE=/nonexistent LC_ALL=C NO_COLOR=1
unset CHESS_VM

# golden NAME CODE ARG...: stdout is cli_test.d/NAME.txt, stderr is empty
golden() {
	local name=$1 code=$2 got
	shift 2
	"$chessctl" "$@" >out 2>err
	got=$?
	[ -n "$write" ] && cp out "$golden/$name.txt"
	if [ "$got" != "$code" ]; then
		result 1 "$name" "exit code $got, expected $code: $(cat err)"
	elif [ -s err ]; then
		result 1 "$name" "stderr: $(cat err)"
	elif ! diff -u "$golden/$name.txt" out >changes; then
		result 1 "$name" "$(cat changes)"
	else
		result 0 "$name"
	fi
}

# refused NAME CODE SENTENCE ARG...: nothing on stdout, one line on stderr that
# holds SENTENCE, and no file left behind
refused() {
	local name=$1 code=$2 sentence=$3 got before
	shift 3
	before=$(ls -A)
	"$chessctl" "$@" >"$work.out" 2>"$work.err" </dev/null
	got=$?
	if [ "$got" != "$code" ]; then
		result 1 "$name" "exit code $got, expected $code: $(cat "$work.err")"
	elif [ -s "$work.out" ]; then
		result 1 "$name" "stdout: $(head -5 "$work.out")"
	elif [ "$(wc -l <"$work.err")" != 1 ]; then
		result 1 "$name" "stderr is not one line: $(cat "$work.err")"
	elif ! grep -qF -- "$sentence" "$work.err"; then
		result 1 "$name" "expected '$sentence', got: $(cat "$work.err")"
	elif [ "$(ls -A)" != "$before" ]; then
		result 1 "$name" "left behind: $(ls -A)"
	else
		result 0 "$name"
	fi
	rm -f "$work.out" "$work.err"
}

echo "KTAP version 1"

golden help 0 --help
for c in explore test replay step shrink run show races cover coverage shard attach detach status \
	vm doctor version; do
	golden "help-$c" 0 "$c" --help
	lines=$(wc -l <out)
	if [ "$lines" -le 24 ]; then
		result 0 "help_of_${c}_fits_a_screen"
	else
		result 1 "help_of_${c}_fits_a_screen" "$lines lines"
	fi
done

refused unknown_command 2 "unknown command 'frobnicate'" frobnicate
refused unknown_option 2 "unknown option '--frobnicate'" explore --frobnicate -- true
refused unknown_short_option 2 "unknown option '-x'" explore -x -- true
refused option_prefix_is_no_option 2 "unknown option '--bou'" explore --bou 2 -- true
refused option_prefix_behind_the_trace 2 "unknown option '--tim'" replay t --tim 3
refused option_without_value 2 "--bound needs a value" explore --bound
refused bound_is_a_number 2 "not 'x'" explore --bound x -- true
refused bound_is_not_negative 2 "not '-1'" explore --bound=-1 -- true
refused number_with_a_tail 2 "not '2x'" explore --runs 2x -- true
refused jobs_are_not_none 2 "from 1 to 64" explore --jobs 0 -- true
refused number_out_of_range 2 "not '0'" replay t --times 0
refused time_is_finite 2 "not 'inf'" explore --time inf -- true
refused unknown_points 2 "not 'loops'" explore --points sync,loops -- true
refused probe_that_is_not_there 2 "probe 'no.bpf.o' cannot be read" explore --probe no.bpf.o -- true
refused probe_that_is_a_folder 2 "probe '/' is not a regular file" run --probe / -- true
refused empty_points 2 "not ''" explore --points= -- true
refused no_program 2 "no program given" explore
refused no_program_behind_dashes 2 "no program given" run --
refused test_harness 2 "not 'junit'" test --harness junit -- true
refused test_wrong_strategy 2 'there is no strategy "best"' test --strategy best -- true
refused test_has_no_continue 2 "unknown option '--continue'" test --continue x
refused test_of_an_empty_folder 2 "there is no program in the folder '$elsewhere'" test -- "$elsewhere"
printf 'futex:futex_wait\nfutex\n' >"$elsewhere/list.txt"
refused test_of_a_bad_list 2 "line 2 of '$elsewhere/list.txt' is not COLLECTION:TEST" test -- "$elsewhere/list.txt"
refused test_of_a_list_with_arguments 2 "takes no arguments" test -- /tmp x
rm "$elsewhere/list.txt"
refused no_trace 2 "no trace given" replay
refused two_traces 2 "takes one trace" replay a b
refused shrink_no_trace 2 "no trace given" shrink
refused shrink_no_runs 2 "not '0'" shrink t --runs 0
refused show_takes_no_program 2 "takes no program" show t -- true
refused show_at_no_number 2 "at" show --at x t
refused unknown_format 2 "not 'yaml'" show --format yaml t
refused status_takes_no_operand 2 "unexpected 'x'" status x
refused doctor_takes_no_operand 2 "unexpected 'x'" doctor x
refused doctor_wants_a_program 2 "no program after '--'" doctor --
refused doctor_of_one_run 2 "not '1'" doctor --runs 1 -- true
refused doctor_vm_and_host 2 "exclude each other" doctor --vm --host -- true
refused vm_and_host 2 "exclude each other" explore --vm --host -- true
refused gdb_and_json 2 "--gdb goes with neither" replay --gdb --json t
refused attach_wants_a_process_that_is_there 2 "there is no process 999999999" attach 999999999
refused attach_modes 2 "only looks" attach --observe --perturb 1
refused attach_explore_of_what 2 "give it with --each" attach --explore 1
refused attach_each_of_nothing 2 "give both" attach --each true 1
refused attach_blocked_of_nothing 2 "give both" attach --blocked 1 1
refused attach_place_of_nothing 2 "give both" attach --catch-at a:b 1
refused attach_place 2 "not 'a'" attach --catch --catch-at a 1
refused attach_place_without_function 2 "not '/a:b/c'" attach --catch --catch-at /a:b/c 1
refused attach_place_of_four 2 "not 'a:b:c:d'" attach --catch --catch-at a:b:c:d 1
refused attach_two_modes 2 "modes of their own" attach --catch --record t 1
refused attach_strategy 2 "no strategy" attach --explore --each true --strategy none 1
refused attach_policy 2 "not 'icb'" attach --perturb --policy icb 1
refused attach_policy_of_nothing 2 "give both" attach --policy pct 1
refused attach_seed 2 "not 'x'" attach --perturb=x 1
refused detach_wants_a_number 2 "one process id or group" detach x
refused attach_wants_a_pid 2 "takes one process id" attach

cp "$(type -P true)" plain && chmod 755 plain
cp plain setuid && chmod 4755 setuid
cp plain data && chmod 644 data
cp plain elf32 && printf '\001' | dd of=elf32 bs=1 seek=4 conv=notrunc status=none
printf 'neither\n' >text && chmod 755 text
mkdir folder d.trace
for c in explore run doctor; do
	refused "${c}_program_missing" 2 "No such file" $c -- ./missing
	refused "${c}_program_not_in_path" 2 "was not found in PATH" $c -- missing-program
	refused "${c}_program_not_executable" 2 "is not executable" $c -- ./data
	refused "${c}_program_is_a_folder" 2 "is a folder" $c -- ./folder
	refused "${c}_program_setuid" 2 "is setuid" $c -- ./setuid
	refused "${c}_program_32_bit" 2 "is a 32-bit program" $c -- ./elf32
	refused "${c}_program_of_no_format" 2 "neither an ELF file" $c -- ./text
done
# With --host a refusal that came too late would be exit code 3: there is no module.
refused memo_without_races 2 "make those points" \
	explore --host --strategy icb --points sync --memo a.memo -- ./plain
refused memo_with_jobs 2 "leave out --jobs" \
	explore --host --strategy maple --jobs 2 --memo a.memo -- ./plain
refused memo_that_is_none 2 "is not a memo of chessctl" \
	explore --host --strategy maple --memo ./plain -- ./plain
refused coverage_of_nothing 2 "there is no memo 'no.memo'" coverage no.memo
refused coverage_without_a_memo 2 "name one memo" coverage
refused coverage_of_a_program 2 "is not a memo of chessctl" coverage ./plain
refused cover_without_a_program 2 "name a program after '--'" cover
refused cover_without_inputs 2 "has no command line" cover --host --inputs /dev/null
refused cover_of_inputs_that_are_not_there 2 "the inputs 'none' cannot be read" cover --inputs none
refused shard_without_a_command 2 "say what is to be done: split, run, merge or submit" shard --shards 2
refused shard_of_no_program 2 "name a program after '--'" shard split --shards 2
refused shard_without_a_number 2 "say how many shards" shard split -- ./plain
refused shard_with_dpor 2 "does not know what the others show" \
	shard split --shards 2 --strategy icb --reduce dpor -- ./plain
refused shard_with_turns 2 "needs to see all runs" shard split --shards 2 --strategy turns -- ./plain
refused shard_by_chance_without_an_end 2 "say how many runs" \
	shard split --shards 2 --strategy pct -- ./plain
refused shard_that_is_none 2 "'./plain' is neither a shard nor the result of one" shard run ./plain
refused shard_that_is_not_there 2 "'no.shard' cannot be read" shard run no.shard
refused shard_has_its_options 2 "'--strategy' is for 'shard split'" shard run --strategy icb no.shard
refused shard_with_nothing_to_merge 2 "name the results" shard merge
refused cover_has_its_strategy 2 "unknown option '--strategy'" cover --strategy icb -- ./plain
refused unknown_strategy 2 'there is no strategy "nonsense"; choose one of: icb' \
	explore --host --strategy nonsense -- ./plain
refused empty_strategy 2 'there is no strategy ""' explore --host --strategy= -- ./plain
refused races_as_points_of_races 2 "accesses are recorded and are not points here" \
	races --host --points sync,races -- ./plain
refused races_as_points_of_run 2 "'chessctl races' shows them" run --host --points races -- ./plain
refused code_of_no_file 2 "libfo.so" races --host --code libfo.so -- ./plain
refused code_of_no_function 2 "frobnicate" explore --host --points races --code PROGRAM:frobnicate -- ./plain
refused rules_that_are_missing 2 "none.rules" races --host --suppress none.rules -- ./plain
printf 'functoin f\n' >bad.rules
refused rules_that_are_none 2 "bad.rules" races --host --suppress bad.rules -- ./plain
refused watch_of_an_expression 2 "takes a variable of the program or 0xADDRESS" \
	replay --host "$golden/race.trace" --watch 'f()'
refused watch_of_an_odd_address 2 "is not an address that is a multiple of its size" \
	replay --host "$golden/race.trace" --watch 0x404081:4
refused watch_as_json 2 "goes with neither --json nor --times" \
	replay --host "$golden/race.trace" --watch counter --json
refused scope_of_no_binary 2 "the program has no file 'libfo.so', it starts with plain" \
	explore --host --preempt-in libfo.so -- ./plain
refused scope_of_no_function 2 "plain has no function 'frobnicate'" \
	explore --host --no-preempt-in plain:frobnicate -- ./plain
refused scope_of_no_function_anywhere 2 "the program has no function 'frob*'" \
	explore --host --preempt-in ':frob*' -- ./plain
refused scope_with_an_empty_name 2 "with no empty name in it" \
	explore --host --preempt-in plain,,libc.so.6 -- ./plain
refused scope_of_a_strategy_of_chance 2 "has no scopes; use icb, dfs or delay" \
	explore --host --strategy pct --preempt-in plain -- ./plain
refused skip_ordered_in_a_scope 2 "cannot be left out in a scope" \
	explore --host --skip-ordered --preempt-in plain -- ./plain
refused skip_ordered_and_delay 2 "use icb or dfs" \
	explore --host --skip-ordered --strategy delay -- ./plain
refused unknown_reduction 2 "takes 'dpor', 'hb', 'sleep' and 'yield', not 'fast'" \
	explore --host --reduce fast -- ./plain
refused unknown_reduction_behind_a_known_one 2 "not 'sleeps'" \
	explore --host --reduce hb,sleeps -- ./plain
refused reduction_in_part 2 "not 'slee'" explore --host --reduce slee,hb -- ./plain
refused reduction_of_models 2 "only for models" explore --host --reduce state -- ./plain
refused reduction_in_capitals 2 "not 'HB'" explore --host --reduce HB -- ./plain
refused no_reduction 2 "not ''" explore --host --reduce= -- ./plain
refused no_reduction_between_commas 2 "not ''" explore --host --reduce hb,,sleep -- ./plain
refused no_reduction_at_the_end 2 "not ''" explore --host --reduce hb, -- ./plain
refused reduction_without_a_list 2 "--reduce needs a value" explore --reduce
refused reduction_of_a_strategy_of_chance 2 "the strategy pct has no reduction by happens-before" \
	explore --host --strategy pct --reduce hb -- ./plain
refused sleep_sets_and_delay 2 "the strategy delay has no reduction by sleep sets" \
	explore --host --strategy delay --reduce hb,sleep -- ./plain
refused sleep_sets_in_a_scope 2 "sleep sets do not go with a scope" \
	explore --host --reduce sleep --preempt-in plain -- ./plain
refused reduction_and_skip_ordered 2 "cannot be left out together with a reduction" \
	explore --host --reduce hb --skip-ordered -- ./plain
refused record_is_a_folder 2 "is not a regular file" run --host --record folder -- ./plain
refused record_is_a_device 2 "is not a regular file" run --host --record /dev/null -- ./plain
refused out_is_a_file 3 "is not a folder" explore --out data -- ./plain
refused out_cannot_be_made 3 "cannot be made" explore --out /proc/none -- ./plain
refused out_cannot_be_made_in_new_folders 3 "cannot be made: File name too long" \
	explore --out "new/er/$(printf '%0300d' 0)/est" -- ./plain
# Searches that cannot go on; the sample is one of /bin/true, when that was another file.
mkdir searches two
cp "$golden/sample.search" two/a.search
cp "$golden/sample.search" two/b.search
refused continue_nothing 2 "there is no search in 'searches' to continue" \
	explore --continue searches
refused continue_missing 2 "'none' cannot be used: No such file" explore --continue none
refused continue_two 2 "2 searches in 'two' can be continued; name one, for example --continue two/a" \
	explore --continue two
refused continue_with_program 2 "takes no program" explore --continue two/a.search -- ./plain
refused continue_with_other_options 2 "unknown option '--bound'" \
	explore --continue two/a.search --bound 3
refused continue_a_trace 2 "is not a journal of a search" explore --continue ./data
echo "chess search journal 2" >searches/other.search
refused continue_other_version 2 "was written by another version of chessctl" \
	explore --continue searches
cp "$golden/sample.search" searches/other.search
printf X | dd of=searches/other.search bs=1 seek=60 conv=notrunc 2>/dev/null
refused continue_damaged 2 "is damaged at byte 23: the search cannot continue from it" \
	explore --continue searches
refused continue_changed_program 2 "program '/bin/true' has changed since the search of" \
	explore --continue two/a.search
exec 7<two/a.search
flock 7
refused continue_while_it_goes_on 3 "another chessctl is running the search of" \
	explore --continue two/a.search
exec 7<&-
# One that its own run could not see; a working directory in /tmp is seen.
cp plain "$elsewhere/plain"
for c in explore run doctor; do
	refused "${c}_program_in_private_tmp" 2 "is in /tmp, where --private-tmp" \
		$c --host --private-tmp -- "$elsewhere/plain"
done
if [ ! -e /sys/module/chess ]; then
	refused program_elsewhere_with_private_tmp 3 "the module is not loaded" \
		run --host --private-tmp -- /bin/true
	refused program_of_the_folder_with_private_tmp 3 "the module is not loaded" \
		run --host --private-tmp -- ./plain
fi
refused record_folder_missing 3 "no trace can be written" run --record none/t -- ./plain

if [ -e /sys/module/chess ]; then
	result skip host_without_a_module "the module is loaded"
	result skip doctor_without_a_module "the module is loaded"
	result skip status_without_a_module "the module is loaded"
else
	refused host_without_a_module 3 "the module is not loaded" explore --host -- ./plain
	refused doctor_without_a_module 3 "the module is not loaded" doctor --host -- ./plain
	refused status_without_a_module 3 "the module is not loaded" status
fi

if "$chessctl" version >out 2>err && grep -q '^family chess version 1$' out; then
	result 0 version_names_the_family
else
	result 1 version_names_the_family "$(cat out err)"
fi
"$chessctl" version >/dev/full 2>err
code=$?
if [ $code = 3 ] && grep -q 'could not be written to stdout' err; then
	result 0 lost_output_is_an_error
else
	result 1 lost_output_is_an_error "exit code $code: $(cat err)"
fi
"$chessctl" doctor >out 2>err
code=$?
if { [ $code = 0 ] || [ $code = 3 ]; } && [ ! -s err ] && grep -q ' kernel ' out &&
	[ "$(tail -n 1 out | grep -c '^programs can')" = 1 ]; then
	result 0 doctor_ends_with_a_conclusion
else
	result 1 doctor_ends_with_a_conclusion "exit code $code: $(cat out err)"
fi

"$chessctl" doctor --json >out 2>err
code=$?
if { [ $code = 0 ] || [ $code = 3 ]; } && [ ! -s err ] && [ "$(head -c1 out)" = "{" ] &&
	[ "$(grep -c '"state":' out)" -ge 9 ] && grep -q '"host":' out && grep -q '"vm":' out; then
	result 0 doctor_as_json_has_every_check
else
	result 1 doctor_as_json_has_every_check "exit code $code: $(cat out err)"
fi

# Each check of the text is in the JSON, with the same state, and none more.
"$chessctl" doctor | sed -n 's/^\([a-z]*\)  *\([A-Za-z ]*[A-Za-z]\)  .*/\2 \1/p' | grep -v ^programs >text
tr -d '\n' <out | grep -o '"name":"[^"]*", *"state":"[^"]*"' |
	sed 's/"name":"\(.*\)", *"state":"\(.*\)"/\1 \2/' >json
if [ "$(wc -l <text)" -ge 9 ] && diff -u text json >changes; then
	result 0 doctor_as_text_and_as_json_agree
else
	result 1 doctor_as_text_and_as_json_agree "$(cat changes text)"
fi

# seal BODY: a trace of these lines, with the checksum they need
seal() {
	local h=$((0xcbf29ce484222325)) i c
	for ((i = 0; i < ${#1}; i++)); do
		printf -v c %d "'${1:i:1}"
		h=$(((h ^ c) * 0x100000001b3))
	done
	printf '%schecksum %016x\n' "$1" $h
}
# Doctor says of KVM what the VM then goes by: a QEMU that only notes what it was asked for.
mkdir qemu
cat >qemu/qemu-system-x86_64 <<-END
	#!/bin/sh
	echo "\$*" >>$work/qemu/asked
	exit 1
END
chmod 755 qemu/qemu-system-x86_64
PATH=$work/qemu:$PATH "$build/chess-vm" --no-module -- true >out 2>err </dev/null
if [ ! -s qemu/asked ]; then
	result skip doctor_and_the_vm_agree_about_kvm "no VM is built: $(head -n 1 err)"
elif head -n 1 qemu/asked | grep -q -- '-accel kvm' && "$chessctl" doctor | grep -q '^ok *KVM'; then
	result 0 doctor_and_the_vm_agree_about_kvm
elif head -n 1 qemu/asked | grep -q -- '-accel tcg' && "$chessctl" doctor | grep -q '^slower *KVM'; then
	result 0 doctor_and_the_vm_agree_about_kvm
else
	result 1 doctor_and_the_vm_agree_about_kvm "$("$chessctl" doctor | grep KVM; cat qemu/asked err)"
fi

# Options behind the program are its own, and that is said, once. A refusal ends the rest.
"$chessctl" explore --host ./plain --bound 1 >out 2>err
if grep -qF -- "note: '--bound' after './plain' is given to the program" err &&
	[ "$(grep -c note: err)" = 1 ]; then
	result 0 option_behind_the_program_is_noted
else
	result 1 option_behind_the_program_is_noted "$(cat err)"
fi
for words in '-- ./plain --bound 1' './plain --other' './plain -- --bound 1'; do
	# shellcheck disable=SC2086 # words
	"$chessctl" explore --host $words >out 2>err
	grep -q note: err
	[ $? = 1 ]
	result $? "no_note_of_$(tr -c 'a-z\n' _ <<<"$words")" "$(cat err)"
done

if make -s -f "$top/cli/Makefile" BUILD="$build" DESTDIR="$work/root" PREFIX=/usr install >out 2>err &&
	cmp "$top/docs/man/chess.7" root/usr/share/man/man7/chess.7 2>>err &&
	cmp "$top/docs/man/chessctl.1" root/usr/share/man/man1/chessctl.1 2>>err; then
	result 0 manual_pages_are_installed
else
	result 1 manual_pages_are_installed "$(cat err)"
fi

trace=$golden/sample.trace
cp "$trace" sample.trace
golden show 0 show sample.trace
# A wait whose deadline passes early, and one that is the default.
cp "$golden/timeout.trace" timeout.trace
golden show-timeout 0 show timeout.trace
# A task blocks in an op that has no row, for nobody else was alive at its point; and a word
# that another waits for is where the loader's cache was mapped for a moment.
seal "$(cat "$golden/blocks.body")"$'\n' >blocks.trace
golden show-blocks 0 show blocks.trace
# A race, at instructions that were points or not.
cp "$golden/race.trace" race.trace
golden show-race 0 show race.trace
# Names and texts that a terminal would obey, or that no JSON may have in it; and a race whose
# accesses are behind events that are not there.
cp "$golden/hostile.trace" hostile.trace
golden show-hostile 0 show hostile.trace
if show=$("$chessctl" show --format json hostile.trace | tr -d '\n' |
		LC_ALL=C grep -c "$(printf '[\001-\037\177\377]')"); then
	result 1 hostile_names_are_escaped_in_json "$show lines with control characters"
else
	result 0 hostile_names_are_escaped_in_json
fi
golden show-at 0 show sample.trace --at 12
golden show-at-json 0 show sample.trace --at 12 --format json
"$chessctl" show --format json sample.trace >out 2>err
code=$?
if [ $code = 0 ] && [ ! -s err ] && grep -q '"verdict":"deadlock"' out &&
	grep -q '"preemptions":1' out && [ "$(grep -c '"seq":' out)" -ge 13 ] &&
	[ "$(head -c1 out)" = "{" ] && [ "$(tail -n1 out)" = "}" ]; then
	result 0 show_as_json_has_every_event
else
	result 1 show_as_json_has_every_event "exit code $code: $(head -40 out; cat err)"
fi

: >empty.trace
size=$(stat -c %s sample.trace)
head -c $((size / 2)) sample.trace >half.trace
head -c $((size - 2)) sample.trace >short.trace
sed 's/deadlock/livelock/' sample.trace >edited.trace
sed '1s/[0-9]\+/99/' sample.trace >newer.trace
head -c 4096 /dev/zero >zero.trace
for c in show replay shrink; do
	refused "${c}_trace_missing" 2 "No such file" $c missing.trace
	refused "${c}_trace_is_a_folder" 2 "folder" $c folder
	for bad in empty half short edited zero; do
		refused "${c}_trace_$bad" 2 "trace $bad.trace" $c $bad.trace
	done
	refused "${c}_trace_of_a_newer_version" 2 "newer" $c newer.trace
done
# On a piece of a heap that was given back; by numbers of accesses, without their stacks.
seal "$(sed '$d; 1s/9/10/; s/^race .*/& numbers 1 4 allocated 2 T0 0x401300 0x404070 24 6 freed 3 T1 0x401310 0x404070 24 8/' \
	"$golden/race.trace")"$'\n' >piece.trace
golden show-piece 0 show piece.trace
seal $'chess-trace 1\narg "./plain"\npoints "sync,loops"\nverdict ok\n'\
$'status 0\nschedule T0\nevent 1 point T0 -> T0\n' >points.trace
seal $'chess-trace 1\narg "./plain"\nverdict ok\nstatus 0\n' >bare.trace
seal $'chess-trace 1\nverdict ok\nstatus 0\nschedule T0\nevent 1 point T0 -> T0\n' >nobody.trace
refused replay_trace_of_unknown_points 2 "not 'loops'" replay --host points.trace
refused replay_trace_without_a_schedule 2 "holds no schedule" replay --host bare.trace
refused shrink_trace_without_a_schedule 2 "holds no schedule" shrink --host bare.trace
seal $'chess-trace 1\narg "./plain"\nverdict ok\nstatus 0\nschedule T0\nevent 1 point T0 -> T0\n' \
	>fine.trace
refused shrink_trace_of_a_run_without_a_bug 2 "there is no bug to keep" shrink --host fine.trace
seal $'chess-trace 1\narg "./plain"\nverdict crash\nstatus 11\nschedule T0\n'\
$'event 1 point T0 -> T0\n' >crash.trace
refused shrink_to_a_folder_as_a_file 2 "is not a regular file" shrink --host --out d.trace crash.trace
refused shrink_to_a_folder_that_is_not_there 3 "no trace can be written in" \
	shrink --host --out no/x.trace crash.trace
refused show_at_behind_the_end 2 "asks for more than" show --at 9999 sample.trace
refused show_trace_without_a_record 2 "holds no record" show bare.trace
seal $'chess-trace 4\narg "'"$elsewhere"$'/plain"\nsurroundings private-tmp\nverdict ok\n'\
$'status 0\nschedule T0\nevent 1 point T0 -> T0\n' >surroundings.trace
refused replay_has_the_surroundings_of_the_trace 2 "is in /tmp, where --private-tmp" \
	replay --host surroundings.trace
refused replay_trace_without_a_program 2 "holds no program" replay --host nobody.trace
refused replay_program_of_the_trace_is_gone 2 "No such file" replay sample.trace

echo "1..$n"
totals
