/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which syscall is which op on which object.
 */
#ifndef _CHESS_SYSCALLS_H
#define _CHESS_SYSCALLS_H

#include <linux/hash.h>
#include <linux/minmax.h>
#include <linux/ptrace.h>

#include "chess.h"

#define CHESS_CALLS	512

/**
 * struct chess_call - what is known of a system call
 * @plain_below: results from 0 to below this only go into the record
 * @op: enum chess_op_class; CHESS_CALL_SELF: no point
 * @flags: CHESS_OPF_*
 * @source: where its object is, see syscalls.c
 * @arg: which argument names the object
 * @special: there is more to it than the row says
 * @is_odd: it is more than a point that always stands at sys_enter and works on nothing
 * @is_answered: it asks for time or random numbers, or may wait
 * @is_watched: its end is looked at whatever it returns
 * @gives_id: it returns a number of the system: a task, a System V object
 */
struct chess_call {
	unsigned long plain_below;
	u8 op;
	u8 flags;
	u8 source : 4;
	u8 arg : 4;
	bool special;
	bool is_odd;
	bool is_answered;
	bool is_watched;
	bool gives_id;
};

/* One more, for all numbers behind them. */
extern struct chess_call chess_calls[CHESS_CALLS + 1];

/**
 * chess_call_of() - what is known of a call
 * @nr: its number; of the native table
 *
 * Context: any.
 * Return: its row.
 */
static inline const struct chess_call *chess_call_of(unsigned long nr)
{
	return &chess_calls[min_t(unsigned long, nr, CHESS_CALLS)];
}

void chess_syscall_init(void);
void chess_syscall_enter(struct chess_task *t, struct pt_regs *regs, long nr);

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
	u32 seq = t->call;

	if (!seq) {
		t->quiet = (t->quiet + ret) * GOLDEN_RATIO_64;
		return;
	}
	t->call = 0;
	e = &t->group->record.events[seq - 1];
	if (e->object_kind != CHESS_OBJECT_SYSTEM || ret <= 0)
		e->result = ret;
}

void chess_syscall_exit(struct chess_task *t, struct pt_regs *regs, long ret);

#endif /* _CHESS_SYSCALLS_H */
