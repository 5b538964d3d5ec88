/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files that take a decision share; all others include settle.h.
 *
 * settle.c		defers it until it can be taken
 * settle_time.c	lets time pass before it
 * settle_choose.c	chooses
 * settle_commit.c	records it and hands over the token
 */
#ifndef _CHESS_SETTLE_PARTS_H
#define _CHESS_SETTLE_PARTS_H

#include "chess.h"
#include "settle.h"

/**
 * struct chess_settle_choice - a decision that is being taken
 * @want: what the prefix asks for and may have, or CHESS_TASK_NONE
 * @chosen: the task that continues, or CHESS_TASK_NONE
 * @may_expire: timers could go off early instead
 * @early: the wait of @chosen is to end by the decision, and need not
 */
struct chess_settle_choice {
	unsigned int want;
	unsigned int chosen;
	bool may_expire;
	bool early;
};

/* The task with that id, or NULL. */
static inline struct chess_task *chess_settle_find_locked(const struct chess_group *g,
							  unsigned int id)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	return id < CHESS_MAX_TASKS ? g->by_id[id] : NULL;
}

/* settle.c */
struct chess_task *chess_settle_first_latched_locked(const struct chess_group *g);

/* settle_time.c */
bool chess_settle_pass_time_locked(struct chess_group *g, const struct chess_event *e, bool yield);
bool chess_settle_may_expire_locked(const struct chess_group *g, const struct chess_event *e);
void chess_settle_expire_locked(struct chess_group *g, const struct chess_event *e);
void chess_settle_fire_until_locked(struct chess_group *g, u64 until);

/* settle_choose.c */
bool chess_settle_heed_locked(struct chess_group *g, const struct chess_event *e,
			      struct chess_settle_choice *c);
void chess_settle_choose_locked(struct chess_group *g, const struct chess_event *e,
				const struct chess_task *at, bool yield,
				struct chess_settle_choice *c);

/* settle_commit.c */
bool chess_settle_pass_on_locked(struct chess_group *g);
bool chess_settle_commit_locked(struct chess_group *g, struct chess_task *at,
				const struct chess_settle_choice *c);

#endif /* _CHESS_SETTLE_PARTS_H */
