/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Taking control of a process that is running.
 */
#ifndef _CHESS_ADOPT_H
#define _CHESS_ADOPT_H

#include "chess.h"

struct netlink_ext_ack;

/**
 * struct chess_adopt - what is asked for
 * @leader: a thread of the process
 * @tree: its descendants too
 * @follow: see struct chess_group
 * @hold: see @held there
 * @latch: see @latching there
 * @guard: see struct chess_group
 * @taken: set to the number of tasks taken
 * @late: set to how many of them have not arrived yet
 */
struct chess_adopt {
	struct task_struct *leader;
	bool tree;
	bool follow;
	bool hold;
	bool latch;
	struct chess_guard guard;
	u32 taken;
	u32 late;
};

int chess_adopt(struct chess_group *g, struct chess_adopt *a, struct netlink_ext_ack *extack);
bool chess_adopt_arrive(struct chess_task *t);

#endif /* _CHESS_ADOPT_H */
