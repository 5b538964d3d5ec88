/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What system calls read and write of a program's memory.
 */
#ifndef _CHESS_BUFFERS_H
#define _CHESS_BUFFERS_H

#include <linux/sizes.h>
#include <linux/types.h>

/* Of one buffer, structure or file that a call is given; enough for what programs read at once. */
#define CHESS_BUFFER_BYTES	SZ_1M

struct chess_task;
struct pt_regs;

/* What an argument points to. */
enum chess_buffer_form {
	CHESS_BUFFER_NOTHING,
	CHESS_BUFFER_FLAT,
	CHESS_BUFFER_MESSAGE_OF_QUEUE,
	CHESS_BUFFER_VECTORS,
	CHESS_BUFFER_MESSAGE,
	CHESS_BUFFER_MESSAGES,
};

void chess_buffers_form(struct chess_task *t, const struct pt_regs *regs,
			enum chess_buffer_form form, u8 kind, u64 at, u64 count);
void chess_buffers_bytes(struct chess_task *t, const struct pt_regs *regs, u8 kind, u64 at,
			 u64 bytes);
void chess_buffers_access(struct chess_task *t, const struct pt_regs *regs, long nr);

#endif /* _CHESS_BUFFERS_H */
