/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies of memory that are one instruction: many steps, not one.
 */
#ifndef _CHESS_COPY_H
#define _CHESS_COPY_H

#include <linux/minmax.h>
#include <linux/types.h>

#include "../arch_x86.h"

struct chess_hit;
struct chess_task;
struct pt_regs;

/* Of larger pieces nothing is kept. */
#define CHESS_COPY_KEPT		64

/**
 * enum chess_copy_next - what is next
 * @CHESS_COPY_DONE: the program, after the instruction
 * @CHESS_COPY_POINT: a point
 * @CHESS_COPY_AGAIN: the same step, once a page was brought in on the way to user mode
 * @CHESS_COPY_WHOLE: the instruction, which is to fault
 */
enum chess_copy_next {
	CHESS_COPY_DONE,
	CHESS_COPY_POINT,
	CHESS_COPY_AGAIN,
	CHESS_COPY_WHOLE,
};

/**
 * struct chess_copy - how far a task is in a copy
 * @going: it is in one
 * @fills: it has no source
 * @ends: it ends with the first zero that is read
 * @missing: it was not begun, as its string is brought in first
 * @loaded: bytes of a piece that was read and is kept
 * @within: handlers that interrupted it and have not returned
 * @unit: bytes of an element
 * @ip: of the instruction
 * @sp: stack pointer there
 * @to: first byte that is written
 * @from: first byte that is read
 * @total: bytes
 * @done: of them
 * @moved: bytes after these, of a large piece that a page was missing in
 * @left: registers, as the last step left them
 * @most: bytes, and zeroes after them, that are written; or U64_MAX: as many as there are
 * @padding: zeroes that are written after them
 * @brought: what was last brought in
 * @bytes: the piece that was read; of a fill all pieces
 *
 * Only touched by the task itself.
 */
struct chess_copy {
	bool going;
	bool fills;
	bool ends;
	bool missing;
	u32 loaded;
	u32 within;
	u32 unit;
	unsigned long ip;
	unsigned long sp;
	unsigned long to;
	unsigned long from;
	u64 total;
	u64 done;
	u64 moved;
	struct chess_arch_copied left;
	u64 most;
	u64 padding;
	unsigned long brought;
	u8 bytes[CHESS_COPY_KEPT];
};

bool chess_copy_wants(struct chess_task *t, const struct chess_hit *hit,
		      const struct pt_regs *regs);
u8 chess_copy_step(const struct chess_task *t, u64 *start, u64 *end);
bool chess_copy_is_at(struct chess_task *t, const struct pt_regs *regs);
enum chess_copy_next chess_copy_go_on(struct chess_task *t, const struct chess_hit *hit,
				      struct pt_regs *regs);

/* A handler begins, returns, or @n were left by a jump. Context: probe, in the task itself. */
static inline void chess_copy_interrupt(struct chess_copy *c)
{
	c->within += c->going;
}

static inline void chess_copy_resume(struct chess_copy *c)
{
	c->within -= !!c->within;
}

static inline void chess_copy_abandon(struct chess_copy *c, u32 n)
{
	if (!c->within)
		return;
	c->within -= min(c->within, n);
	c->going = c->within;
}

#endif /* _CHESS_COPY_H */
