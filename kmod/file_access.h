/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What system calls read and write of files that are mapped.
 */
#ifndef _CHESS_FILE_ACCESS_H
#define _CHESS_FILE_ACCESS_H

#include <linux/types.h>

struct chess_task;
struct pt_regs;

void chess_file_bytes(struct chess_task *t, const struct pt_regs *regs, int fd, u8 kind,
		      loff_t offset, u64 bytes);
void chess_file_access(struct chess_task *t, const struct pt_regs *regs, long nr);
void chess_file_ended(struct chess_task *t, const struct pt_regs *regs, long nr, long ret);

#endif /* _CHESS_FILE_ACCESS_H */
