/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls that are points only where another task could notice them.
 */
#ifndef _CHESS_WITNESS_H
#define _CHESS_WITNESS_H

#include "calls.h"

struct pt_regs;

/* Could somebody notice? */
enum chess_witness {
	CHESS_WITNESS_NONE,	/* no: it is no point */
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
