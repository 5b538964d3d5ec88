/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a search has its branches: explore --explain. The reduction dpor takes a branch to have two
 * operations in the other order, so the table is of pairs of operations, and of the functions in
 * which tasks are preempted for that.
 */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include <json-c/json.h>
#include <chessctl/chessctl.h>

struct explain;

struct explain *explain_new(void);
void explain_free(struct explain *e);

/* The search begins again: from the next branch on others count. May be NULL. */
void explain_reset(struct explain *e);

/* branch of struct chess_explore_opts */
void explain_branch(void *explain, const struct chess_branch *b);

void explain_print(const struct explain *e);
struct json_object *explain_json(const struct explain *e);

#endif /* CLI_EXPLAIN_H */
