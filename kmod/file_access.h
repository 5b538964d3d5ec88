/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What system calls read and write of files that are mapped.
 */
#ifndef _CHESS_FILE_ACCESS_H
#define _CHESS_FILE_ACCESS_H

struct chess_task;
struct pt_regs;

void chess_file_access(struct chess_task *t, const struct pt_regs *regs, long nr);

#endif /* _CHESS_FILE_ACCESS_H */
