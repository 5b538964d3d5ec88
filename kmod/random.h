/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random numbers that are the same in every run.
 */
#ifndef _CHESS_RANDOM_H
#define _CHESS_RANDOM_H

#include "chess.h"

struct file;
struct pt_regs;

#define CHESS_RANDOM_SEED	0x6368657373ULL

void chess_random_init(struct chess_task *t);
bool chess_random_answer(struct chess_task *t, struct pt_regs *regs, long nr);
void chess_random_seed_loader(struct chess_task *t, unsigned long to);

#endif /* _CHESS_RANDOM_H */
