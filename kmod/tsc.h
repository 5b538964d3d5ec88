/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The time stamp counter, as a program under control reads it.
 */
#ifndef _CHESS_TSC_H
#define _CHESS_TSC_H

#include <linux/types.h>

struct chess_probe;
struct chess_task;
struct pt_regs;

bool chess_tsc_read(struct chess_task *t, const struct chess_probe *p, struct pt_regs *regs);

#endif /* _CHESS_TSC_H */
