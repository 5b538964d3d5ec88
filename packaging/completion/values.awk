# SPDX-License-Identifier: GPL-2.0-only
#
# What an option or an argument can be completed with; used by bash.awk and zsh.awk.

# The words an option takes, "" if any value will do. Those that the help lists as "one of:" are
# read there. selftests/unit/completion_test.sh compares the others with the help.
function words_of(option, text)
{
	if (sub(/.*one of: /, "", text) || option == "--harness") {
		gsub(/,/, "", text)
		return text
	}
	if (option == "--watchdogs")
		return "late early never"
	if (option == "--wake")
		return "fifo any"
	if (option == "--points")
		return text ~ /races/ ? "sync syscalls races" : "sync syscalls"
	if (option == "--reduce")
		return "dpor hb sleep yield"
	if (option == "--policy")
		return "random pct"
	if (option == "--format")
		return "text json"
	return ""
}

# file, directory, program, process or nothing: what the argument's name in the help stands for
function kind_of(argument)
{
	gsub(/[\[\]=. ]/, "", argument)
	if (argument ~ /^DIR$/)
		return "directory"
	if (argument ~ /FILE|TRACE/)
		return "file"
	if (argument ~ /PROGRAM/)
		return "program"
	if (argument ~ /COMMAND/)
		return "program"
	if (argument ~ /PID/)
		return "process"
	return ""
}
