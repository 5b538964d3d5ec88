/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What system calls access of the memory of another process.
 */
#ifndef _CHESS_REMOTE_H
#define _CHESS_REMOTE_H

struct chess_task;
struct pt_regs;

void chess_remote_access(struct chess_task *t, const struct pt_regs *regs, long nr);

#endif /* _CHESS_REMOTE_H */
