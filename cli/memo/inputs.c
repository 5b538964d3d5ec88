// SPDX-License-Identifier: GPL-2.0-only
/*
 * Command lines from a file, see inputs.h. Glibc's wordexp() is not used: it expands variables,
 * files and commands, and what is said here is to mean the same wherever it is read.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "memo/inputs.h"

static void words_free(char **words)
{
	size_t i;

	for (i = 0; words && words[i]; i++)
		free(words[i]);
	free(words);
}

/* In double quotes a backslash stands for itself unless it comes before one of these. */
static bool is_escape(const char *at, char quote)
{
	if (*at != '\\' || quote == '\'')
		return false;
	return !quote || (at[1] && strchr("$`\"\\", at[1]));
}

/* The word at *@at, which then is where it ends; NULL: it does not end. */
static char *next_word(const char **at)
{
	char *word = cli_alloc(strlen(*at) + 1, 1), *to = word, quote = 0;

	for (; **at && (quote || !strchr(" \t", **at)); ++*at) {
		if (is_escape(*at, quote)) {
			if (!*++*at) {
				free(word);
				return NULL;
			}
			*to++ = **at;
		} else if (**at == quote) {
			quote = 0;
		} else if (!quote && strchr("'\"", **at)) {
			quote = **at;
		} else {
			*to++ = **at;
		}
	}
	if (!quote)
		return word;
	free(word);
	return NULL;
}

char **inputs_split(const char *line)
{
	char **words = cli_alloc(strlen(line) + 2, sizeof(*words));
	size_t n = 0;

	for (line += strspn(line, " \t"); *line; line += strspn(line, " \t")) {
		words[n] = next_word(&line);
		if (!words[n++]) {
			words_free(words);
			return NULL;
		}
	}
	return words;
}

/* @words is taken over. */
static void add_input(struct inputs *in, char *const *program, char **words)
{
	size_t i, k, n = 0;
	char **all;

	for (i = 0; program && program[i]; i++)
		n++;
	for (k = 0; words && words[k]; k++)
		n++;
	all = cli_alloc(n + 1, sizeof(*all));
	for (n = 0; program && program[n]; n++)
		all[n] = cli_printf("%s", program[n]);
	for (k = 0; words && words[k]; k++)
		all[n++] = words[k];
	free(words);
	in->v = cli_realloc(in->v, in->n + 1, sizeof(*in->v));
	in->v[in->n++] = all;
}

static int read_lines(struct inputs *in, FILE *f, const char *path, char *const *program)
{
	char *line = NULL, **words;
	size_t room = 0, number = 0;
	int code = CLI_PROCEED;
	ssize_t n;

	while (code == CLI_PROCEED && (n = getline(&line, &room, f)) > 0) {
		number++;
		if (memchr(line, 0, n))
			code = cli_fail(CLI_USAGE, "cover: '%s' is not a text file", path);
		line[strcspn(line, "\r\n")] = 0;
		if (code != CLI_PROCEED || !line[strspn(line, " \t")] ||
		    line[strspn(line, " \t")] == '#')
			continue;
		words = inputs_split(line);
		if (words)
			add_input(in, program, words);
		else
			code = cli_fail(CLI_USAGE,
					"cover: in line %zu of '%s' a quote is not closed, or nothing follows a backslash",
					number, path);
	}
	free(line);
	return code;
}

int inputs_read(struct inputs *in, const char *path, char *const *program)
{
	int code;
	FILE *f;

	*in = (struct inputs){ 0 };
	if (!path) {
		add_input(in, program, NULL);
		return CLI_PROCEED;
	}
	f = fopen(path, "re");
	if (!f)
		return cli_fail(CLI_USAGE, "cover: the inputs '%s' cannot be read: %s", path,
				strerror(errno));
	code = read_lines(in, f, path, program);
	if (code == CLI_PROCEED && ferror(f))
		code = cli_fail(CLI_USAGE, "cover: the inputs '%s' cannot be read: %s", path,
				strerror(errno));
	fclose(f);
	if (code == CLI_PROCEED && !in->n)
		code = cli_fail(CLI_USAGE,
				"cover: '%s' has no command line; write one on each line", path);
	return code;
}

void inputs_clear(struct inputs *in)
{
	while (in->n)
		words_free(in->v[--in->n]);
	free(in->v);
	in->v = NULL;
}
