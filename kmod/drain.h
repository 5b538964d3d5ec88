/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Letting go of adopted tasks where they sleep.
 */
#ifndef _CHESS_DRAIN_H
#define _CHESS_DRAIN_H

#include <linux/workqueue.h>

struct chess_group;

/**
 * struct chess_drainer - lets sleeping tasks of an adopted group go
 * @work: does it
 * @pause: jiffies between its passes; only @work, once it is queued
 */
struct chess_drainer {
	struct delayed_work work;
	unsigned long pause;
};

void chess_drain_init(struct chess_group *g);
void chess_drain(struct chess_group *g);

#endif /* _CHESS_DRAIN_H */
