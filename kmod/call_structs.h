/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What system calls read and write of structures whose size the call knows.
 */
#ifndef _CHESS_CALL_STRUCTS_H
#define _CHESS_CALL_STRUCTS_H

struct chess_task;
struct pt_regs;

void chess_call_structs_access(struct chess_task *t, const struct pt_regs *regs, long nr);

#endif /* _CHESS_CALL_STRUCTS_H */
