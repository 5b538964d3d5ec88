/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inputs of chessctl cover: command lines, one a line of a file.
 */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include <stddef.h>

/**
 * struct inputs - command lines
 * @v: each a list of words that ends with NULL
 * @n: of @v
 */
struct inputs {
	char ***v;
	size_t n;
};

/*
 * The words of a line, as a shell has them: blanks separate, \ and quotes keep what would; nothing
 * is expanded. Malloc'ed. NULL: a quote is not closed, or the line ends with \.
 */
char **inputs_split(const char *line);

/*
 * Those of the file @path, each after the words of @program, which may be NULL; without @path, only
 * @program. Empty lines and those that begin with # are none. Return: CLI_PROCEED, or an exit code
 * after one sentence; inputs_clear() in both cases.
 */
int inputs_read(struct inputs *in, const char *path, char *const *program);
void inputs_clear(struct inputs *in);

#endif /* CLI_INPUTS_H */
