/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calls that a kept process and its children make.
 */
#ifndef _CHESS_KEPT_CALL_H
#define _CHESS_KEPT_CALL_H

struct chess_group;
struct pt_regs;

unsigned long chess_kept_find_call(const struct chess_group *g);
void chess_kept_call(struct pt_regs *regs, const struct pt_regs *kept, unsigned long at, long nr,
		     unsigned long arg);
unsigned long chess_kept_prepare_fork(void);

#endif /* _CHESS_KEPT_CALL_H */
