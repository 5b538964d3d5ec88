/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Branches that a search leaves out because their prefix leads elsewhere: kept as traces, with
 * what the runs of them differ in and what that hangs on, as far as they tell.
 */
#ifndef CLI_LEFT_H
#define CLI_LEFT_H

#include <json-c/json.h>
#include <time.h>

#include "out.h"
#include "session.h"

/* Each takes runs of its own; more of them seldom say more. */
#define LEFT_MAX	4
#define LEFT_CAUSES	8

/**
 * struct left_branch - one branch
 * @path: its trace, or NULL
 * @unbounded: what is claimed does not rest on it (chess_plan)
 * @causes: sentences, @n of them
 */
struct left_branch {
	char *path;
	bool unbounded;
	char *causes[LEFT_CAUSES];
	size_t n;
};

/**
 * struct left - what became of them
 * @s: the program
 * @dir: where traces go
 * @progress: of the search
 * @began: when it did
 * @branch: the first ones, @n of them
 */
struct left {
	struct session *s;
	struct out_dir *dir;
	struct out_progress *progress;
	struct timespec began;
	struct left_branch branch[LEFT_MAX];
	size_t n;
};

/* For struct chess_explore_opts; @arg is the struct left. 0 */
int left_keep(void *arg, const struct chess_plan *plan, const struct chess_run_result *run);
void left_print(const struct left *l, FILE *to);
/* an array of objects with trace and causes */
struct json_object *left_json(const struct left *l);
void left_clear(struct left *l);

#endif /* CLI_LEFT_H */
