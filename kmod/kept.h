/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that is kept where its start is over, and forks the root task of later runs.
 */
#ifndef _CHESS_KEPT_H
#define _CHESS_KEPT_H

#include <linux/types.h>

struct chess_group;
struct chess_kept;
struct chess_task;
struct netlink_ext_ack;
struct pt_regs;
struct task_struct;

/**
 * struct chess_keep - the kept process of a group
 * @at: after so many decisions the run ends and its process is kept; U32_MAX: it is not;
 *	under plock
 * @kept: the process, or NULL; under plock and group->lock, or either to read
 */
struct chess_keep {
	u32 at;
	struct chess_kept *kept;
};

/* No run has so many decisions. */
#define CHESS_KEEP_NONE	U32_MAX

void chess_kept_give_up(struct chess_group *g);
bool chess_kept_stay(struct chess_task *t);
bool chess_kept_enter(struct pt_regs *regs, long nr);
void chess_kept_forked(struct task_struct *parent, struct task_struct *child);
int chess_kept_check(struct chess_group *g, u32 flags, u32 fair, u32 max_accesses,
		     struct netlink_ext_ack *extack);
int chess_kept_start(struct chess_group *g, u32 *pid, struct netlink_ext_ack *extack);
void chess_kept_drop(struct chess_group *g);

#endif /* _CHESS_KEPT_H */
