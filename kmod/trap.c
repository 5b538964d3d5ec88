// SPDX-License-Identifier: GPL-2.0-only
/*
 * A trap is hit: the point of a sync function. The die notifier decides at once.
 * The task goes on in the slot, which holds the displaced instruction; if it has
 * to wait first, ip stays at the original instruction, where debuggers and
 * stacks expect it, until the gate lets it go.
 *
 * One op is one point: calls and traps inside a trapped function add none. A
 * task is inside until the function returns, which is seen by the stack: its
 * return address is popped, or is not there any more.
 */
#include <linux/kdebug.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "arch_x86.h"
#include "gate.h"
#include "point.h"
#include "task.h"
#include "trap.h"

static bool read_return_address(unsigned long sp, unsigned long *ret)
{
	return !copy_from_user_nofault(ret, (void __user *)sp, sizeof(*ret));
}

/**
 * chess_trap_inside() - the trapped function the task has not returned from
 * @t: the task, which is current
 * @sp: its user stack pointer
 *
 * Forgets functions that have returned.
 *
 * Context: probe, in the task itself.
 * Return: the innermost frame or NULL.
 */
const struct chess_frame *chess_trap_inside(struct chess_task *t, unsigned long sp)
{
	unsigned long ret;

	while (t->depth) {
		const struct chess_frame *frame = &t->frames[t->depth - 1];

		if (sp <= frame->sp && read_return_address(frame->sp, &ret) && ret == frame->ret)
			return frame;
		t->depth--;
	}
	return NULL;
}

static void push_frame(struct chess_task *t, unsigned long sp, unsigned long ret, bool nests)
{
	/* Deeper nesting than this costs extra points, not correctness. */
	if (t->depth == CHESS_OPS_DEPTH)
		return;
	t->frames[t->depth++] = (struct chess_frame) { .sp = sp, .ret = ret, .nests = nests };
}

/* A new op at the same stack depth means that the last one there has returned:
 * a loop over one call site.
 */
static void pop_returned(struct chess_task *t, unsigned long sp)
{
	while (t->depth && t->frames[t->depth - 1].sp <= sp)
		t->depth--;
}

static void fill_event(struct chess_event *e, const struct chess_probe *p,
		       const struct pt_regs *regs, unsigned long ret)
{
	*e = (struct chess_event) {
		.type = CHESS_EVENT_POINT,
		.op = p->op,
		.flags = p->op_flags | CHESS_OPF_PROBE,
		.nr = p->id,
		.ip = regs->ip,
		.caller = ret,
	};
	if (p->object_arg) {
		e->object_kind = CHESS_OBJECT_ADDRESS;
		e->object = chess_arch_function_arg(regs, p->object_arg);
	}
	if (p->second_arg)
		e->arg = chess_arch_function_arg(regs, p->second_arg);
}

/* Returns whether the task may go on to the slot. */
static bool trap_point(struct chess_task *t, const struct chess_probe *p, struct pt_regs *regs)
{
	const struct chess_frame *frame;
	struct chess_event e;
	unsigned long ret = 0;

	if (t->pass.set && t->pass.nr == -1 && t->pass.ip == regs->ip && t->pass.sp == regs->sp) {
		if (READ_ONCE(t->group->token) != t &&
		    READ_ONCE(t->group->state) == CHESS_GROUP_STATE_RUNNING)
			return false;
		t->pass.set = false;
		return true;
	}
	pop_returned(t, regs->sp);
	frame = chess_trap_inside(t, regs->sp);
	if (frame && !frame->nests)
		return true;
	read_return_address(regs->sp, &ret);
	t->pass = (struct chess_pass) { .ip = regs->ip, .sp = regs->sp, .nr = -1 };
	t->exit_point = p->op == CHESS_OP_EXIT;
	fill_event(&e, p, regs, ret);
	if (READ_ONCE(t->group->token) == t)
		push_frame(t, regs->sp, ret, p->flags & CHESS_PROBE_NESTS);
	return chess_point_take(t, &e, regs);
}

static int handle_int3(struct notifier_block *nb, unsigned long val, void *data)
{
	struct die_args *args = data;
	struct pt_regs *regs = args->regs;
	const struct chess_probe *p;
	struct chess_task *t;
	unsigned long slot;
	int ret = NOTIFY_DONE;

	if (val != DIE_INT3 || !regs || !user_mode(regs))
		return NOTIFY_DONE;
	rcu_read_lock();
	t = chess_task_find(current);
	if (!t || !t->mm)
		goto out;
	p = chess_mm_find(t->mm, regs->ip - 1, &slot);
	if (!p)
		goto out;
	ret = NOTIFY_STOP;
	regs->ip -= 1;
	if (trap_point(t, p, regs)) {
		t->trap_slot = 0;
		regs->ip = slot;
	} else {
		t->trap_slot = slot;
		chess_gate_arm(t);
	}
out:
	rcu_read_unlock();
	return ret;
}

static struct notifier_block int3_notifier = {
	.notifier_call = handle_int3,
	.priority = INT_MAX,
};

/**
 * chess_trap_init() - start to see traps
 *
 * Context: process.
 * Return: 0 or negative errno.
 */
int chess_trap_init(void)
{
	return register_die_notifier(&int3_notifier);
}

/**
 * chess_trap_exit() - see no more traps
 *
 * Context: process.
 */
void chess_trap_exit(void)
{
	unregister_die_notifier(&int3_notifier);
}
