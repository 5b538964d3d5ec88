// SPDX-License-Identifier: GPL-2.0-only
/*
 * See demangle.h. The C++ library knows how; where there is a C++ program to report on,
 * there is that library too, so it is loaded when the first such name comes.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "report/demangle.h"

/* Template arguments that are longer say less than they hide. */
#define ARGUMENTS_MAX	24

typedef char *demangle_fn(const char *name, char *out, size_t *size, int *status);

static demangle_fn *find_demangler(void)
{
	static demangle_fn *found;
	static bool looked;
	void *library;

	if (!looked) {
		looked = true;
		library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
		if (library)
			*(void **)&found = dlsym(library, "__cxa_demangle");
	}
	return found;
}

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

void demangle_shorten(char *name)
{
	char *open = name, *end;

	/* their brackets are no pairs */
	if (strstr(name, "operator<") || strstr(name, "operator>") || strstr(name, "operator-"))
		return;
	end = arguments(name);
	if (end) {
		*end = '\0';
		drop_result(name);
	}
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

char *demangle(const char *symbol)
{
	demangle_fn *of = strncmp(symbol, "_Z", 2) ? NULL : find_demangler();
	char *name = of ? of(symbol, NULL, NULL, NULL) : NULL;

	if (!name)
		return cli_printf("%s", symbol);
	demangle_shorten(name);
	return name;
}
