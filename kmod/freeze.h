/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks that are frozen, with their control group or the machine.
 */
#ifndef _CHESS_FREEZE_H
#define _CHESS_FREEZE_H

#include <linux/types.h>

struct chess_task;

bool chess_freeze_is_due(const struct chess_task *t);
bool chess_freeze_is_all(const struct chess_task *t);
bool chess_freeze_woke(const struct chess_task *t, unsigned int state);
void chess_freeze_stay(struct chess_task *t);
void chess_freeze_go_back(struct chess_task *t);
void chess_freeze_let_others_back(struct chess_task *t);

#endif /* _CHESS_FREEZE_H */
