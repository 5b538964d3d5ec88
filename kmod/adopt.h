/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Taking control of a process that is running.
 */
#ifndef _CHESS_ADOPT_H
#define _CHESS_ADOPT_H

#include <linux/types.h>
#include "watchdog.h"

struct chess_group;
struct chess_task;
struct netlink_ext_ack;
struct pid;
struct task_struct;

/**
 * struct chess_adoption - a process that was taken while it ran
 * @process: that; or NULL: there is none; under plock
 * @follow: processes that adopted tasks create stay under control; under plock
 * @gathering: tasks are still being taken: no decision yet; under plock
 * @held: no decision before the owner releases the run; under plock
 * @latching: adopted tasks are latched when they are woken from outside, as others are;
 *	under plock
 * @let_go: enum chess_let_go_reason, or zero; under plock
 */
struct chess_adoption {
	struct pid *process;
	bool follow;
	bool gathering;
	bool held;
	bool latching;
	u32 let_go;
};

/**
 * struct chess_adopt - what is asked for
 * @leader: a thread of the process
 * @tree: its descendants too
 * @follow: see struct chess_adoption
 * @hold: see @held there
 * @latch: see @latching there
 * @guard: see struct chess_watchdog
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
