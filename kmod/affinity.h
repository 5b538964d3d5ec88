/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which processors a task runs on, and which it believes it may.
 */
#ifndef _CHESS_AFFINITY_H
#define _CHESS_AFFINITY_H

#include "chess.h"

void chess_affinity_bind(struct chess_task *t);
void chess_affinity_restore(struct chess_task *t);
int chess_affinity_ask(struct chess_task *t, pid_t pid, unsigned int len,
		       const unsigned long __user *mask);

#endif /* _CHESS_AFFINITY_H */
