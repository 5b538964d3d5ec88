/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which syscall is which op on which object.
 */
#ifndef _CHESS_SYSCALLS_H
#define _CHESS_SYSCALLS_H

#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/ptrace.h>

#include <linux/hash.h>

#include "chess.h"

void chess_syscall_init(void);
void chess_syscall_enter(struct chess_task *t, struct pt_regs *regs, long nr);
/* Calls whose end is looked at whatever they return: timed ones, and a few. */
#define CHESS_EXIT_CALLS	512
extern unsigned long chess_exit_calls[BITS_TO_LONGS(CHESS_EXIT_CALLS)];
/* Calls that return a number of the system: a task, a System V object. */
extern unsigned long chess_id_calls[BITS_TO_LONGS(CHESS_EXIT_CALLS)];

/**
 * chess_syscall_exit_matters() - must chess_syscall_exit() be called
 * @nr: number of the call
 * @ret: result
 *
 * Context: probe (sys_exit).
 * Return: whether it must; else chess_syscall_result() is all.
 */
static inline bool chess_syscall_exit_matters(unsigned long nr, long ret)
{
	return (unsigned long)ret - -ERESTARTNOHAND <= ERESTARTNOHAND - ERESTARTSYS ||
	       (nr < CHESS_EXIT_CALLS && test_bit(nr, chess_exit_calls));
}

/**
 * chess_syscall_result() - what a call returned belongs to the record
 * @t: the task, which is current
 * @nr: number of the call; -1: it was skipped or answered
 * @ret: result
 *
 * Where two runs of one schedule differ in it, something outside has changed.
 * Numbers that the system gives are other ones in each run: of tasks, which SPAWN
 * events tell, and of System V objects, which are named by first use. How much is
 * read of a file in /proc depends on what the machine did meanwhile.
 *
 * Context: probe (sys_exit).
 */
static inline void chess_syscall_result(struct chess_task *t, unsigned long nr, long ret)
{
	struct chess_event *e;
	u32 seq = t->call;

	if (nr >= CHESS_EXIT_CALLS || (ret > 0 && test_bit(nr, chess_id_calls)))
		return;
	if (!seq) {
		t->quiet = (t->quiet + ret) * GOLDEN_RATIO_64;
		return;
	}
	t->call = 0;
	e = &t->group->record.events[seq - 1];
	if (e->nr == nr && e->type == CHESS_EVENT_POINT &&
	    (e->object_kind != CHESS_OBJECT_SYSTEM || ret <= 0))
		e->result = ret;
}

void chess_syscall_exit(struct chess_task *t, struct pt_regs *regs, long ret);

#endif /* _CHESS_SYSCALLS_H */
