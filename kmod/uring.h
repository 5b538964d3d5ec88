/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What io_uring does outside system calls: rings end, time-out requests expire.
 */
#ifndef _CHESS_URING_H
#define _CHESS_URING_H

#include "work.h"

struct chess_group;
struct chess_task;
struct hrtimer;

/**
 * struct chess_ring - the io_uring of a task
 * @is_new: it has one, so those have to be watched; only the task itself
 * @work: task work that waits for rings it closed
 * @ticks: how much longer it does at most; written by the task itself only
 */
struct chess_ring {
	bool is_new;
	struct chess_work work;
	unsigned int ticks;
};

void chess_uring_attach(void);
void chess_uring_detach(void);
bool chess_uring_is_attached(void);
void chess_uring_init(struct chess_task *t);
void chess_uring_expire(struct chess_group *g, struct hrtimer *timer);
void chess_uring_give_back(struct chess_group *g);

#endif /* _CHESS_URING_H */
