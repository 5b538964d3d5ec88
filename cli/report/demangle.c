// SPDX-License-Identifier: GPL-2.0-only
/*
 * See demangle.h. GNU's libiberty knows how, of C++ and of both manglings of Rust.
 */
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "report/demangle.h"

/* Template arguments that are longer say less than they hide. */
#define ARGUMENTS_MAX	24

/* After the bracket that closes the one at @open; NULL: none does. */
static char *behind(char *open, char opening, char closing)
{
	int depth = 0;

	for (; *open; open++) {
		if (*open == opening)
			depth++;
		else if (*open == closing && !--depth)
			return open + 1;
	}
	return NULL;
}

/* Where the arguments of the function begin: the last bracket at the top. NULL: none do. */
static char *arguments(char *name)
{
	char *last = NULL, *at = name, *end;

	while (*at) {
		if (*at != '(' && *at != '<' && *at != '{') {
			at++;
			continue;
		}
		end = behind(at, *at, *at == '(' ? ')' : *at == '<' ? '>' : '}');
		if (!end)
			return NULL;
		/* "operator()" is a name, and so is "(anonymous namespace)::" */
		if (*at == '(' && strncmp(end, "::", 2) &&
		    !(at - name >= 8 && !strncmp(at - 8, "operator", 8)))
			last = at;
		at = end;
	}
	return last;
}

/* What a template function returns stands in front of its name. */
static void drop_result(char *name)
{
	char *at = name, *space = NULL, *end;

	while (*at) {
		if (*at == ' ' && !(at - name >= 8 && !strncmp(at - 8, "operator", 8)))
			space = at;
		end = *at == '<' ? behind(at, '<', '>') : *at == '{' ? behind(at, '{', '}') :
		      *at == '(' ? behind(at, '(', ')') : NULL;
		at = end ? end : at + 1;
	}
	if (space)
		memmove(name, space + 1, strlen(space + 1) + 1);
}

/* Of what stands between < and > from @open on, the contents go where they are long. */
static void shorten_brackets(char *open)
{
	char *end;

	while ((open = strchr(open, '<'))) {
		end = behind(open++, '<', '>');
		if (!end)
			return;
		if (end - open <= ARGUMENTS_MAX)
			continue;
		memcpy(open, "...", 3);
		memmove(open + 3, end - 1, strlen(end - 1) + 1);
	}
}

void demangle_shorten(char *name)
{
	char *end;

	/* their brackets are no pairs */
	if (strstr(name, "operator<") || strstr(name, "operator>") || strstr(name, "operator-"))
		return;
	end = arguments(name);
	if (end) {
		*end = '\0';
		drop_result(name);
	}
	shorten_brackets(name);
}

/*
 * Names of Rust have no arguments. What begins with a bracket is a type, perhaps with a trait,
 * whose method comes after it; only what that has in brackets goes.
 */
void demangle_shorten_rust(char *name)
{
	char *end = *name == '<' ? behind(name, '<', '>') : name, *to;

	/* as in "fn() -> u8" */
	if (!end || strstr(name, "->"))
		return;
	shorten_brackets(end);
	if (end == name)
		return;
	end[-1] = '\0';
	shorten_brackets(name + 1);
	to = name + strlen(name);
	end[-1] = '>';
	memmove(to, end - 1, strlen(end - 1) + 1);
}

char *demangle(const char *symbol)
{
	char *name = cplus_demangle(symbol, DMGL_RUST);

	if (name) {
		demangle_shorten_rust(name);
		return name;
	}
	if (!strncmp(symbol, "_Z", 2))
		name = cplus_demangle(symbol, DMGL_GNU_V3 | DMGL_PARAMS | DMGL_ANSI);
	if (!name)
		return cli_printf("%s", symbol);
	demangle_shorten(name);
	return name;
}
