# SPDX-License-Identifier: GPL-2.0-only
#
# Make the tables of netlink_fuzz out of docs/netlink/specs/chess.yaml: each command with
# the attributes of its requests, their types, limits, flags and elements. kernel.mk calls;
# netlink_table.h says what the rows are. The spec is YAML as that file writes it: two
# blanks a level, a list item's dash in a line of its own or before its one word.

function fail(what)
{
	printf "netlink_table.awk: line %d: %s\n", NR, what >"/dev/stderr"
	failed = 1
	exit 1
}

function value_of(text)
{
	if (text == "s32-max")
		return 2147483647
	if (text in constant)
		return constant[text]
	if (text !~ /^[0-9]+$/)
		fail("neither a number nor a constant: " text)
	return text
}

# The sentence "array of struct chess_probe" and its like names what a binary consists of.
function element_of(text)
{
	if (match(text, /array of (struct )?[a-z0-9_]+/) || match(text, /one struct [a-z0-9_]+/)) {
		text = substr(text, RSTART, RLENGTH)
		sub(/.* /, "", text)
		return text
	}
	return match(text, /pairs of u32|of u32/) ? "u32" : "bytes"
}

{ indent = match($0, /[^ ]/) - 1 }
indent < 0 || /^ *#/ || /^---/ { next }
indent == 0 { part = $1; next }

# Definitions: constants, and how many entries an enum has.
part == "definitions:" {
	if (indent == 4 && $1 == "type:") kind = $2
	if (indent == 4 && $1 == "name:") {
		definition = $2
		start[definition] = 0
		is_flags[definition] = kind == "flags"
	}
	if (indent == 4 && $1 == "value:") constant[definition] = $2
	if (indent == 4 && $1 == "value-start:") start[definition] = $2
	if (indent == 8 && $1 == "name:") entries[definition]++
}

part == "attribute-sets:" {
	if (indent == 4 && $1 == "name:") { set = $2; number = 0 }
	if (indent == 8) {
		checks = $1 == "checks:"
		in_doc = $1 == "doc:"
		if ($1 == "name:") {
			attr = set "/" $2
			index_of[attr] = ++number
			max[attr] = min[attr] = ""
		} else if ($1 == "type:")
			type[attr] = $2
		else if ($1 == "enum:")
			enum[attr] = $2
		else if ($1 == "value:")
			fail("attributes with a value of their own are not known here")
	}
	if (indent >= 8 && in_doc)
		doc[attr] = doc[attr] " " $0
	if (indent == 10 && checks && $1 == "min:") min[attr] = value_of($2)
	if (indent == 10 && checks && $1 == "max:") max[attr] = value_of($2)
}

part == "operations:" {
	if (indent == 4 && $1 == "-") operation = ++operations
	if (indent == 6) {
		way = $1
		if ($1 == "name:") name[operation] = $2
		else if ($1 == "attribute-set:") set_of[operation] = $2
		else if ($1 == "value:")
			fail("operations with a value of their own are not known here")
		if ($1 == "do:") may_do[operation] = 1
		if ($1 == "dump:") may_dump[operation] = 1
		request = 0
	}
	if (indent == 8) {
		request = $1 == "request:"
		if ($1 == "request:" && $2 ~ /^\*/)
			fail("requests by reference are not known here")
	}
	if (indent == 12 && request && $1 == "-")
		fields[operation] = fields[operation] " " $2
}

END {
	if (failed)
		exit 1
	print "/* Made from docs/netlink/specs/chess.yaml by netlink_table.awk. */"
	for (o = 1; o <= operations; o++) {
		if (!may_do[o] && !may_dump[o])
			continue
		n = split(fields[o], list, " ")
		printf "static const struct field fields_%d[] = {\n", o
		delete seen
		for (i = 1; i <= n; i++) {
			a = set_of[o] "/" list[i]
			if (seen[a]++)
				continue
			if (!(a in index_of))
				fail("no attribute " a)
			e = enum[a]
			low = min[a] == "" ? 0 : min[a]
			high = max[a] == "" ? 4294967295 : max[a]
			if (e != "" && is_flags[e])
				high = 2 ^ entries[e] - 1
			else if (e != "") {
				low = start[e]
				high = start[e] + entries[e] - 1
			}
			printf "\t{ \"%s\", %d, KIND_%s, %.0fU, %.0fU, %d, \"%s\" },\n", list[i],
				index_of[a], toupper(type[a]), low, high, e != "" && is_flags[e],
				type[a] == "binary" ? element_of(doc[a]) : ""
		}
		print "\t{ 0 }\n};"
	}
	print "static const struct command commands[] = {"
	for (o = 1; o <= operations; o++)
		if (may_do[o] || may_dump[o])
			printf "\t{ \"%s\", %d, %d, %d, \"%s\", fields_%d },\n", name[o], o,
				may_do[o], may_dump[o], set_of[o], o
	print "};"
}
