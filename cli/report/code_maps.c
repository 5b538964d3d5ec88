// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of a saved maps text. See code_maps.h. Called by symbolize.c.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "report/code_maps.h"

/* "start-end perms offset device inode path": the path comes after five fields. */
#define FIELDS	5

/* The path of a line and its length; NULL: it names no file. */
static const char *path_of(const char *line, const char *end, size_t *length)
{
	unsigned int i;

	for (i = 0; i < FIELDS; i++) {
		while (line < end && *line != ' ')
			line++;
		while (line < end && *line == ' ')
			line++;
	}
	*length = end - line;
	return *length && *line == '/' ? line : NULL;
}

static bool is_code(const char *line, const char *end)
{
	const char *perms = memchr(line, ' ', end - line);

	return perms && end - perms > 4 && perms[3] == 'x';
}

static bool has_code(const char *maps, const char *path, size_t length)
{
	const char *line, *end, *other;
	size_t n;

	for (line = maps; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		other = path_of(line, end, &n);
		if (other && n == length && !memcmp(other, path, n) && is_code(line, end))
			return true;
	}
	return false;
}

char *code_maps(const char *maps)
{
	char *out = cli_alloc(strlen(maps) + 1, 1), *to = out;
	const char *line, *end, *path;
	size_t n;

	for (line = maps; *line; line = end) {
		end = strchrnul(line, '\n');
		path = path_of(line, end, &n);
		if (*end)
			end++;
		if (path && !has_code(maps, path, n))
			continue;
		memcpy(to, line, end - line);
		to += end - line;
	}
	*to = '\0';
	return out;
}
