# SPDX-License-Identifier: GPL-2.0-only
#
# Completion for bash, of the table that generate.sh makes. It needs no function of the package
# bash-completion, which only finds the file.

$1 == "C" { commands = commands " " $2 }
$1 == "A" { kinds = kinds sprintf("\t%s) kind=%s ;;\n", $2, kind_of($3)) }
$1 == "O" {
	options[$2] = options[$2] " " $3
	words = words_of($3, $5)
	# What may be left out follows a "=" only.
	if ($4 == "" || $4 ~ /^\[/)
		next
	values = values sprintf("\t\"%s %s\") kind=%s words=\"%s\" ;;\n", $2, $3,
				kind_of($4), words)
}

END {
	print "# bash completion for chessctl; made by packaging/completion/generate.sh"
	print ""
	print "# What an option of a command takes, into kind and words; 1 if it takes nothing."
	print "_chessctl_value()\n{\n\tcase \"$1 $2\" in"
	printf "%s", values
	print "\t*) return 1 ;;\n\tesac\n}\n"
	print "# What a command takes after its options, into kind."
	print "_chessctl_argument()\n{\n\tcase $1 in"
	printf "%s", kinds
	print "\tesac\n}\n"
	print "_chessctl_options()\n{\n\tcase $1 in"
	n = split(substr(commands, 2), name, " ")
	for (i = 1; i <= n; i++)
		printf "\t%s) echo \"%s\" ;;\n", name[i], substr(options[name[i]], 2)
	print "\tesac\n}\n"
	print "_chessctl()\n{"
	print "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}"
	print "\tlocal kind= words= i\n"
	print "\tCOMPREPLY=()"
	print "\tif [ \"$COMP_CWORD\" -eq 1 ]; then"
	printf "\t\tmapfile -t COMPREPLY < <(compgen -W \"%s help --help --version\" -- \"$cur\")\n", substr(commands, 2)
	print "\t\treturn\n\tfi"
	print "\t# After \"--\" it is a command line of its own."
	print "\tfor ((i = 2; i < COMP_CWORD; i++)); do"
	print "\t\t[ \"${COMP_WORDS[i]}\" = -- ] || continue"
	print "\t\tif declare -F _command_offset >/dev/null; then"
	print "\t\t\t_command_offset $((i + 1))"
	print "\t\telif [ \"$i\" -eq $((COMP_CWORD - 1)) ]; then"
	print "\t\t\tmapfile -t COMPREPLY < <(compgen -c -- \"$cur\"; compgen -f -- \"$cur\")"
	print "\t\telse"
	print "\t\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")"
	print "\t\tfi"
	print "\t\treturn\n\tdone"
	print "\t# \"--option=value\" comes as three words."
	print "\tif [ \"$prev\" = = ]; then"
	print "\t\tprev=${COMP_WORDS[COMP_CWORD - 2]}"
	print "\telif [ \"$cur\" = = ]; then"
	print "\t\tcur="
	print "\tfi"
	print "\tif ! _chessctl_value \"$command\" \"$prev\"; then"
	print "\t\tif [[ $cur == -* ]]; then"
	print "\t\t\tmapfile -t COMPREPLY < <(compgen -W \"$(_chessctl_options \"$command\")\" -- \"$cur\")"
	print "\t\t\treturn"
	print "\t\tfi"
	print "\t\t_chessctl_argument \"$command\""
	print "\tfi"
	print "\tif [ -n \"$words\" ]; then"
	print "\t\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")"
	print "\t\treturn"
	print "\tfi"
	print "\tcase $kind in"
	print "\tfile) mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") ;;"
	print "\tdirectory) mapfile -t COMPREPLY < <(compgen -d -- \"$cur\") ;;"
	print "\tprogram) mapfile -t COMPREPLY < <(compgen -c -- \"$cur\"; compgen -f -- \"$cur\") ;;"
	print "\tprocess) mapfile -t COMPREPLY < <(compgen -W \"$(cd /proc && echo [0-9]*)\" -- \"$cur\") ;;"
	print "\tesac"
	print "\tcompopt -o filenames 2>/dev/null"
	print "}\n"
	print "complete -F _chessctl chessctl"
}
