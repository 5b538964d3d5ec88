/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What live.c makes of one look at the watched tasks:
 *
 *     view.c    each task: its state, its call in words
 *     stuck.c   which task can end which wait, and which wait for each other for ever
 */
#ifndef CHESSCTL_VIEW_H
#define CHESSCTL_VIEW_H

#include "chessctl/chessctl.h"
#include "wait/look.h"
#include "live/watch.h"

/**
 * struct chess_view - one look
 * @shot: what the kernel said
 * @full: files, locks and System V IPC are in it too
 * @n: tasks
 * @seen: each of them, as the kernel said
 * @tasks: each of them, for people
 * @waits: each of them: who could end its wait; task ids are indices
 */
struct chess_view {
	struct chess_snapshot *shot;
	bool full;
	size_t n;
	const struct chess_look_task *seen;
	struct chess_live_task *tasks;
	struct chess_wait *waits;
};

/* A cycle: indices of tasks; @behind: others that wait for them. */
struct chess_live_cycle {
	size_t *task;
	size_t n, behind;
};

/* Takes @shot over. 0, or -ENOMEM with chess_error(). */
int chess_view_make(struct chess_view *v, struct chess_snapshot *shot, bool full,
		    struct chess_sums *sums);
void chess_view_clear(struct chess_view *v);

/* What is known of a block: equal in two looks, the task did not run between them. */
bool chess_view_same_block(const struct chess_live_task *a, const struct chess_live_task *b);

/* "read pipe:[12]"; @ino: what the descriptor was, 0: what it is now. malloc'ed, or NULL. */
char *chess_view_call_text(pid_t pid, long nr, uint64_t word, uint64_t ino);

/* Registers and the top of the stack of a task, for who unwinds it; malloc'ed, or NULL. */
struct chess_stack *chess_view_stack(const struct chess_view *v, size_t i);

bool chess_view_is_blocked(const struct chess_look_task *t);

/* Finds the holders; fills in what struct chess_live_task says of them. 0 or -ENOMEM. */
int chess_stuck_find_holders(struct chess_view *v);

/* Cycles nothing outside can end; malloc'ed, for chess_stuck_free(). 0 or -ENOMEM. */
int chess_stuck_find_cycles(const struct chess_view *v, struct chess_live_cycle **cycles,
			    size_t *n);
void chess_stuck_free(struct chess_live_cycle *cycles, size_t n);

#endif /* CHESSCTL_VIEW_H */
