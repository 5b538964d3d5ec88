/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where in a program the search preempts: --preempt-in and --no-preempt-in of explore.
 */
#ifndef CLI_SCOPE_H
#define CLI_SCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <chessctl/chessctl.h>

/**
 * struct scope_entry - one BINARY, BINARY:FUNCTION or :FUNCTION; patterns of fnmatch(3)
 * @binary: of a file's name, of its path where there is a slash in it; "*" when not given
 * @function: of a symbol; NULL: all of the binary
 * @option: what it was given to, for sentences
 * @out: of --no-preempt-in
 */
struct scope_entry {
	char *binary, *function;
	const char *option;
	bool out;
};

bool scope_entry_binary(const struct scope_entry *e, const char *path);

/*
 * scope_check.c: is there such a binary, with such a function, among the files of the
 * program at @path? Return: CLI_PROCEED, or an exit code after one sentence.
 */
int scope_check(const struct scope_entry *e, size_t n, const char *path);

struct scope;

/*
 * @in, @out: the lists, or NULL. *@s is NULL where there are none. Return: CLI_PROCEED, or an exit
 * code after one sentence.
 */
int scope_open(struct scope **s, const char *in, const char *out, const char *path);
void scope_close(struct scope *s);

/* in_scope of struct chess_explore_opts; the record must have maps */
bool scope_has(void *scope, const struct chess_record *r, size_t i);

#endif /* CLI_SCOPE_H */
