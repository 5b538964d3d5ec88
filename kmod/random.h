/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random numbers that are the same in every run.
 */
#ifndef _CHESS_RANDOM_H
#define _CHESS_RANDOM_H

#include <linux/types.h>
#include "work.h"

struct chess_task;
struct file;
struct pt_regs;

/**
 * struct chess_random - a large request for random bytes
 * @work: task work that answers it
 * @to: user address of the answer
 * @len: how many bytes
 *
 * Only touched by the task itself.
 */
struct chess_random {
	struct chess_work work;
	unsigned long to;
	size_t len;
};

#define CHESS_RANDOM_SEED	0x6368657373ULL

void chess_random_init(struct chess_task *t);
bool chess_random_answer(struct chess_task *t, struct pt_regs *regs, long nr);
void chess_random_seed_loader(struct chess_task *t, unsigned long to);

#endif /* _CHESS_RANDOM_H */
