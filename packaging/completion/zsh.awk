# SPDX-License-Identifier: GPL-2.0-only
#
# Completion for zsh, of the table that generate.sh makes.

# Text within '...[...]'.
function quoted(text)
{
	gsub(/\\/, "\\\\", text)
	gsub(/\[/, "\\[", text)
	gsub(/\]/, "\\]", text)
	gsub(/:/, "\\:", text)
	gsub(/'/, "'\\''", text)
	return text
}

function action_of(kind)
{
	if (kind == "file")
		return "_files"
	if (kind == "directory")
		return "_files -/"
	if (kind == "program")
		return "_command_names -e"
	if (kind == "process")
		return "_pids"
	return " "
}

$1 == "C" {
	commands = commands sprintf("\t\t'%s:%s'\n", $2, quoted($3))
	order[++n] = $2
}
$1 == "A" { argument[$2] = kind_of($3) }
$1 == "O" {
	words = words_of($3, $5)
	action = words != "" ? "(" words ")" : action_of(kind_of($4))
	# A "=" of the option's own is not followed by a value.
	option = $3
	sub(/=/, "\\=", option)
	name = $4
	gsub(/[\[\]= ]/, "", name)
	if ($4 == "")
		spec = sprintf("'%s[%s]'", option, quoted($5))
	else if ($4 ~ /^\[/)
		spec = sprintf("'%s=-[%s]::%s: '", $3, quoted($5), quoted(name))
	else
		spec = sprintf("'%s=[%s]:%s:%s'", $3, quoted($5), quoted(name), action)
	options[$2] = options[$2] "\t\t\t" spec " \\\n"
}

END {
	print "#compdef chessctl"
	print "# zsh completion for chessctl; made by packaging/completion/generate.sh"
	print ""
	print "_chessctl() {"
	print "\tlocal -a commands"
	print "\tlocal curcontext=\"$curcontext\" state line"
	print ""
	print "\tcommands=("
	printf "%s", commands
	print "\t\t'help:print the list of commands'"
	print "\t)"
	print "\tif (( CURRENT == 2 )); then"
	print "\t\t_describe command commands"
	print "\t\treturn"
	print "\tfi"
	print "\tshift words"
	print "\t(( CURRENT-- ))"
	print "\tcase $words[1] in"
	for (i = 1; i <= n; i++) {
		rest = "'*:file:_files'"
		if (argument[order[i]] == "process")
			rest = "'1:process:_pids'"
		if (argument[order[i]] == "program")
			rest = "'*::program:_normal'"
		printf "\t%s)\n\t\t_arguments \\\n%s\t\t\t%s\n\t\t;;\n", order[i], options[order[i]], rest
	}
	print "\tesac"
	print "}"
	print ""
	print "_chessctl \"$@\""
}
