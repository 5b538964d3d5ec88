/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arguments that calls have in memory, and that this module reads.
 */
#ifndef _CHESS_ARGS_H
#define _CHESS_ARGS_H

#include <linux/types.h>

struct chess_task;
struct pt_regs;

bool chess_args_are_there(struct chess_task *t, const struct pt_regs *regs, long nr);

#endif /* _CHESS_ARGS_H */
