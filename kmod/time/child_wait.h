/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does a call wait for a child to end?
 */
#ifndef _CHESS_CHILD_WAIT_H
#define _CHESS_CHILD_WAIT_H

#include "chess.h"

struct pt_regs;

/* A harness waits for a child or a few; what polls more is something else. */
#define CHESS_MOST_POLLED	64UL

bool chess_child_wait_is(const struct pt_regs *regs, long nr);
bool chess_child_wait_blocks(const struct pt_regs *regs, long nr);

#endif /* _CHESS_CHILD_WAIT_H */
