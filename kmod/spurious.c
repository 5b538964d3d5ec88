// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waits that end without a wake-up, which POSIX allows for conditions, and futex(2) for all. If a
 * run asks for it (spurious) a task that sleeps in one can be chosen at any decision, as if its
 * deadline passed (time/deadline.c), and costs the same.
 *
 * A futex wait of the program's own returns 0. That of a condition wait of the C library may
 * not: the library would find that there was no signal, and sleep again. So it returns
 * ETIMEDOUT, whether there was a time-out or not: the library takes the waiter out of the
 * condition variable, so that no signal is lost on it, and takes the mutex again. The function
 * then has to return 0 and not ETIMEDOUT. Its return address is made that of its own first
 * instruction, where a trap is: there the result is changed, and the task goes on where it was
 * called from.
 *
 *     sys_enter --> chess_spurious_enter()   may this wait end without a wake-up
 *     decision --> chess_spurious_decide_locked() --> time/deadline.c ends it
 *     sys_exit --> chess_spurious_end()      ETIMEDOUT, and another return address
 *     trap --> chess_spurious_returned()     0, and back to the caller
 *
 * glibc 2.36 (nptl/pthread_cond_wait.c, __condvar_cancel_waiting) and musl 1.2 are built so. GLib's
 * conditions have no loop around their futex: 0 ends them.
 */
#include <linux/errno.h>
#include <linux/uaccess.h>
#include <uapi/linux/futex.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "chess.h"
#include "events.h"
#include "memory.h"
#include "record_push.h"
#include "settle.h"
#include "spurious.h"
#include "task.h"
#include "traps/trap.h"
#include "user.h"

enum { MAY_NOT, RETURNS_ZERO, RETURNS_LATE };

/* thrd_timedout of <threads.h>: what cnd_timedwait() makes of ETIMEDOUT, and cnd_wait() too. */
#define THRD_TIMEDOUT	4

/**
 * chess_spurious_enter() - a task executes a call: may it end without a wake-up
 * @t: the task, which is current and holds the token
 * @regs: its user registers
 * @nr: number of the call
 *
 * Not what other sync functions wait in: they sleep again, and nobody notices.
 *
 * Context: probe (sys_enter), virtual time.
 */
void chess_spurious_enter(struct chess_task *t, const struct pt_regs *regs, long nr)
{
	unsigned long word = chess_arch_syscall_arg(regs, 0);
	struct chess_group *g = t->group;
	struct chess_spurious *s = &t->spurious;

	s->returns = MAY_NOT;
	if (!(READ_ONCE(g->flags) & CHESS_RUN_FLAGS_SPURIOUS) || nr != __NR_futex ||
	    g->adoption.process || s->back.set)
		return;
	switch (chess_arch_syscall_arg(regs, 1) & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		break;
	default:
		return;
	}
	s->frame = chess_trap_condition(t, regs->sp, word);
	/* Of GLib's functions no mutex is known. */
	if (s->frame && s->frame->arg)
		s->returns = RETURNS_LATE;
	else if (s->frame || !chess_trap_inside(t, regs->sp, nr, chess_memory_address(t, word)))
		s->returns = RETURNS_ZERO;
}

/**
 * chess_spurious_ending_locked() - whose wait a decision can end
 * @g: the group
 *
 * Context: any, group->plock held.
 * Return: tasks that wait with a deadline, and those whose wait may end without a wake-up.
 */
const struct chess_set *chess_spurious_ending_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	unsigned int id;

	lockdep_assert_held(&g->plock);
	if (!g->spurious.tasks.count)
		return &g->timed;
	g->spurious.ending = g->timed;
	for (id = chess_set_next(&g->spurious.tasks, 0); id != CHESS_TASK_NONE;
	     id = chess_set_next(&g->spurious.tasks, id + 1))
		chess_set_add(&g->spurious.ending, id);
	return &g->spurious.ending;
}

/**
 * chess_spurious_decide_locked() - a task continues: does its wait end without a wake-up
 * @t: the task, which has just been chosen
 * @early: its deadline is not what comes next, or it has none
 *
 * Context: any, group->plock held.
 * Return: whether it does.
 */
bool chess_spurious_decide_locked(struct chess_task *t, bool early)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;
	bool timed = chess_set_has(&g->timed, t->id);
	struct chess_event e = {
		.type = CHESS_EVENT_SPURIOUS,
		.task = t->id,
		.enabled = timed * BIT_ULL(CHESS_ENDS_LATE) | BIT_ULL(CHESS_ENDS_FOR_NOTHING),
		.arg = early,
	};
	unsigned int want, usual = timed ? CHESS_ENDS_LATE : CHESS_ENDS_FOR_NOTHING;

	lockdep_assert_held(&g->plock);
	if (!t->spurious.returns || !(timed || chess_set_has(&g->spurious.tasks, t->id)))
		return false;
	want = chess_prefix_peek(&g->prefix);
	e.chosen = chess_policy_signal(&g->policy, e.enabled, usual);
	if (want < BITS_PER_TYPE(e.enabled) && (e.enabled & BIT_ULL(want)))
		e.chosen = want;
	else if (want != CHESS_TASK_NONE)
		chess_settle_diverged_locked(g, t->id, want, e.enabled, 0);
	if (e.chosen == CHESS_ENDS_FOR_NOTHING && !early)
		e.flags = CHESS_OPF_EARLY;
	e.seq = chess_record_push_locked(g, &e);
	trace_decision(g->id, &e, e.chosen == want);
	chess_prefix_advance(&g->prefix);
	g->decisions++;
	t->spurious.decided = e.chosen == CHESS_ENDS_FOR_NOTHING;
	return t->spurious.decided;
}

/**
 * chess_spurious_end() - a call ends without a wake-up
 * @t: the task, which is current
 *
 * Context: probe (sys_exit).
 * Return: what the call returns.
 */
long chess_spurious_end(struct chess_task *t)
{
	struct chess_frame *frame = t->spurious.frame;

	if (t->spurious.returns != RETURNS_LATE)
		return 0;
	t->spurious.back = (struct chess_back) {
		.set = true, .ip = frame->ip, .sp = frame->sp, .ret = frame->ret,
	};
	chess_user_put(t, frame->sp, &frame->ip, sizeof(frame->ip));
	/* By this it is known that the function has not returned. */
	frame->ret = frame->ip;
	return -ETIMEDOUT;
}

/**
 * chess_spurious_returned() - a trap is hit: is it the return from a condition wait
 * @t: the task, which is current
 * @regs: its user registers; ip is at the trap
 *
 * What the function says of its mutex matters.
 *
 * Context: probe (trap of current).
 * Return: whether it is; the task goes on where the wait was called.
 */
bool chess_spurious_returned(struct chess_task *t, struct pt_regs *regs)
{
	struct chess_back *back = &t->spurious.back;

	if (regs->ip != back->ip || regs->sp != back->sp + sizeof(back->ret))
		return false;
	back->set = false;
	regs->ip = back->ret;
	if ((u32)regs->ax == ETIMEDOUT || (u32)regs->ax == THRD_TIMEDOUT)
		regs->ax = 0;
	return true;
}

/**
 * chess_spurious_forget() - a task leaves control: its traps will not be there
 * @t: the task, which is current
 *
 * The wait it is in says that its time is over, then.
 *
 * Context: task work.
 */
void chess_spurious_forget(struct chess_task *t)
{
	struct chess_back *back = &t->spurious.back;

	if (back->set && copy_to_user((void __user *)back->sp, &back->ret, sizeof(back->ret)))
		t->group->lost++;
	back->set = false;
}

/**
 * chess_spurious_hide() - put the return address that the program knows onto a copy of its stack
 * @stack: the copy, of current's
 * @size: bytes of it
 * @sp: where they begin
 *
 * Context: probe.
 */
void chess_spurious_hide(void *stack, u32 size, unsigned long sp)
{
	const struct chess_task *t = chess_task_find(current);
	const struct chess_back *back;

	if (!t)
		return;
	back = &t->spurious.back;
	if (back->set && back->sp >= sp && size >= sizeof(back->ret) &&
	    back->sp - sp <= size - sizeof(back->ret))
		memcpy(stack + (back->sp - sp), &back->ret, sizeof(back->ret));
}
