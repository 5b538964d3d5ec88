/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System calls of tasks under control: points, answers, results.
 */
#ifndef _CHESS_SYSCALLS_H
#define _CHESS_SYSCALLS_H

#include <linux/hash.h>
#include <linux/ptrace.h>

#include "chess.h"

CHESS_HOT void chess_syscall_enter(struct chess_task *t, struct pt_regs *regs, long nr);

/* A call whose result goes nowhere. */
#define CHESS_CALL_UNTOLD	-1

/**
 * chess_syscall_result() - what a call returned belongs to the record
 * @t: the task, which is current
 * @ret: result
 *
 * Where two runs of one schedule differ in it, something outside has changed.
 * How much is read of a file in /proc depends on what the machine did meanwhile.
 *
 * Context: probe (sys_exit).
 */
static inline void chess_syscall_result(struct chess_task *t, long ret)
{
	struct chess_event *e;
	s32 seq = t->call;

	if (seq <= 0) {
		if (!seq)
			t->quiet = (t->quiet + ret) * GOLDEN_RATIO_64;
		t->call = 0;
		return;
	}
	t->call = 0;
	e = &t->group->record.events[seq - 1];
	if (e->object_kind != CHESS_OBJECT_SYSTEM || ret <= 0)
		e->result = ret;
}

void chess_syscall_exit(struct chess_task *t, struct pt_regs *regs, long ret);

#endif /* _CHESS_SYSCALLS_H */
