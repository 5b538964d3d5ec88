/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * watch.c: sums of waits and wake-ups of chosen tasks, which bpf/watch.bpf.c counts for
 * as long as it is loaded. live.c asks. docs/observe.md says what is seen.
 */
#ifndef CHESSCTL_WATCH_H
#define CHESSCTL_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../bpf/watch.bpf.h"

struct chess_sums;

struct chess_sums_row {
	struct chess_watch_key key;
	struct chess_watch_sum sum;
};

/* Load and attach; nobody is watched yet. NULL with errno and chess_error(). */
struct chess_sums *chess_sums_new(void);
void chess_sums_free(struct chess_sums *s);

/*
 * Watch this task, and with @follow the children it will have; no change when it is
 * watched already. *@added is set when it was not. 0 or -errno with chess_error().
 */
int chess_sums_add(struct chess_sums *s, uint32_t gtid, uint32_t gtgid, bool follow, bool *added);

/* What was noted of a task; false: it is not watched, or has ended. */
bool chess_sums_task(struct chess_sums *s, uint32_t gtid, struct chess_watch_task *t);

/* The processes of all watched tasks, at most @max, each once. Return: how many. */
size_t chess_sums_processes(struct chess_sums *s, uint32_t *gtgids, size_t max);

/* All sums, malloc'ed, in no order. 0 or -errno with chess_error(). */
int chess_sums_rows(struct chess_sums *s, struct chess_sums_row **rows, size_t *n);

/* How many tasks and sums found no room. */
struct chess_watch_lost chess_sums_lost(struct chess_sums *s);

#endif /* CHESSCTL_WATCH_H */
