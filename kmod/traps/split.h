/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions that read and write the same memory without a lock: two steps, not one.
 */
#ifndef _CHESS_SPLIT_H
#define _CHESS_SPLIT_H

#include <linux/types.h>

struct chess_hit;
struct chess_task;
struct pt_regs;

/**
 * enum chess_split_step - what is next
 * @CHESS_SPLIT_NONE: nothing was done; a point at it is that of the load
 * @CHESS_SPLIT_LOADING: its point was decided, it is to be done
 * @CHESS_SPLIT_LOADED: it was done, the point of the store comes
 * @CHESS_SPLIT_STORING: its point was decided, the instruction is to be executed
 */
enum chess_split_step {
	CHESS_SPLIT_NONE,
	CHESS_SPLIT_LOADING,
	CHESS_SPLIT_LOADED,
	CHESS_SPLIT_STORING,
};

/**
 * struct chess_split - how far a task is in such an instruction
 * @step: what is next
 * @brought: the page was brought in to be read
 * @writable: and to be written to
 * @size: bytes of the operand
 * @ip: of the instruction
 * @sp: stack pointer there, which tells it from the same one in a handler
 * @address: of the operand
 * @value: what was loaded
 *
 * Only touched by the task itself.
 */
struct chess_split {
	enum chess_split_step step;
	bool brought;
	bool writable;
	u8 size;
	unsigned long ip;
	unsigned long sp;
	unsigned long address;
	u64 value;
};

bool chess_split_wants(const struct chess_task *t, const struct chess_hit *hit);
void chess_split_check(struct chess_task *t, const struct pt_regs *regs);
void chess_split_taken(struct chess_task *t, const struct chess_hit *hit,
		       const struct pt_regs *regs);
enum chess_split_step chess_split_go_on(struct chess_task *t);
void chess_split_finish(struct chess_task *t);

#endif /* _CHESS_SPLIT_H */
