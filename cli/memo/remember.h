/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a search of explore with strategy maple keeps in a memo, and what it knows from there.
 */
#ifndef CLI_REMEMBER_H
#define CLI_REMEMBER_H

#include <json-c/json.h>
#include <chessctl/races.h>

#include "memo/memo.h"
#include "session.h"

struct remember;

/**
 * remember_open() - a search begins
 * @out: for remember_close(), in any case
 * @path: of the memo; in the VM it is the host's
 * @s: the program; open before the first run
 * @program: its file
 * @seed: of the search
 *
 * Return: CLI_PROCEED, or an exit code after one sentence.
 */
int remember_open(struct remember **out, const char *path, const struct session *s,
		  const char *program, uint64_t seed);
/* For struct chess_explore_opts. */
const struct chess_memo *remember_memo(const struct remember *r);
/* The search has ended. @trace: of its first bug, or NULL */
void remember_end(struct remember *r, const struct chess_explore_result *res, const char *trace);
void remember_close(struct remember *r);

/* What the memo was good for, after remember_end(); NULL is a search without one. */
void remember_print(const struct remember *r);
struct json_object *remember_json(const struct remember *r);

#endif /* CLI_REMEMBER_H */
