/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of what system calls work on.
 */
#ifndef _CHESS_OBJECT_H
#define _CHESS_OBJECT_H

#include "calls.h"

struct pt_regs;

/**
 * struct chess_object - what a call works on; returned in two registers
 * @object: its name
 * @arg: see struct chess_event
 * @kind: enum chess_object_kind
 * @op: enum chess_op_class; arguments may change it
 * @flags: CHESS_OPF_*; the same
 */
struct chess_object {
	u64 object;
	u32 arg;
	u8 kind;
	u8 op, flags;
};

struct chess_object chess_object_of(struct chess_group *g, const struct chess_call *s,
				    const struct pt_regs *regs, long nr);

#endif /* _CHESS_OBJECT_H */
