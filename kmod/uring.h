/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What io_uring does outside system calls: rings end, time-out requests expire.
 */
#ifndef _CHESS_URING_H
#define _CHESS_URING_H

#include "chess.h"

void chess_uring_attach(void);
void chess_uring_detach(void);
bool chess_uring_is_attached(void);
void chess_uring_init(struct chess_task *t);
void chess_uring_expire(struct chess_group *g, struct hrtimer *timer);
void chess_uring_give_back(struct chess_group *g);

#endif /* _CHESS_URING_H */
