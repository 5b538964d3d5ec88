/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls that are points only where another task could notice them.
 */
#ifndef _CHESS_WITNESS_H
#define _CHESS_WITNESS_H

#include <linux/types.h>

struct chess_call;
struct chess_group;
struct chess_task;
struct pt_regs;

/**
 * struct chess_fresh - what a task mapped last
 * @start: first byte
 * @end: after the last one
 * @seq: chess_task.seq then
 *
 * Only touched by the task itself.
 */
struct chess_fresh {
	unsigned long start;
	unsigned long end;
	u32 seq;
};

/**
 * struct chess_noticed - what was noticed of a task's calls
 * @fresh: what it mapped last
 * @masked: chess_task.seq plus one when it last changed its mask while creating a thread
 *
 * Only touched by the task itself.
 */
struct chess_noticed {
	struct chess_fresh fresh;
	u32 masked;
};

/* Could somebody notice? */
enum chess_witness {
	CHESS_WITNESS_NONE,	/* no: it is not a point */
	CHESS_WITNESS_SOME,	/* it is one */
	CHESS_WITNESS_LATER,	/* its arguments have to be fetched first, then it is made again */
};

enum chess_witness chess_witness_of(struct chess_task *t, const struct chess_call *s,
				    const struct pt_regs *regs, long nr);
u64 chess_witness_handlers(void);
bool chess_witness_is_librarys(const struct pt_regs *regs);
bool chess_witness_is_loaders(const struct pt_regs *regs);
void chess_witness_sent(struct chess_group *g, const struct pt_regs *regs, long nr);

#endif /* _CHESS_WITNESS_H */
