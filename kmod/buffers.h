/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What system calls read and write of a program's memory.
 */
#ifndef _CHESS_BUFFERS_H
#define _CHESS_BUFFERS_H

struct chess_task;
struct pt_regs;

void chess_buffers_access(struct chess_task *t, const struct pt_regs *regs, long nr);

#endif /* _CHESS_BUFFERS_H */
