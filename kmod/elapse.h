/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Time that passes at a decision.
 */
#ifndef _CHESS_ELAPSE_H
#define _CHESS_ELAPSE_H

#include <linux/types.h>

struct chess_event;
struct chess_group;
struct chess_task;

bool chess_elapse_pass_locked(struct chess_group *g, const struct chess_event *e, bool yield);
bool chess_elapse_may_expire_locked(struct chess_group *g, const struct chess_event *e);
bool chess_elapse_expire_locked(struct chess_group *g, const struct chess_event *e,
				unsigned int want);
void chess_elapse_until_locked(struct chess_group *g, u64 until);
void chess_elapse_usual_locked(struct chess_group *g, struct chess_task *t, bool early);

#endif /* _CHESS_ELAPSE_H */
