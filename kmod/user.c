// SPDX-License-Identifier: GPL-2.0-only
/*
 * See user.h. A tracepoint may not fault. Pages that a program just used are
 * there, so nearly always the memory is written at once; else it is written by a
 * task work, before the task is back in user mode and before any signal handler,
 * and a fault is the call's own: EFAULT.
 */
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>

#include "task.h"
#include "user.h"

static void write_late(struct callback_head *head)
{
	struct chess_task *t = container_of(head, struct chess_task, late.head);
	bool failed = false;
	u32 i;

	clear_bit(0, &t->late.queued);
	for (i = 0; i < t->nputs; i++) {
		struct chess_put *put = &t->puts[i];
		void __user *to = (void __user *)put->to;

		failed |= put->clear ? clear_user(to, put->len) :
				       copy_to_user(to, put->bytes, put->len);
	}
	t->nputs = 0;
	if (failed)
		task_pt_regs(current)->ax = -EFAULT;
}

/**
 * chess_user_init() - prepare a new task
 * @t: the task
 *
 * Context: any.
 */
void chess_user_init(struct chess_task *t)
{
	init_task_work(&t->late.head, write_late);
}

static void put_late(struct chess_task *t, unsigned long to, const void *from, u32 len)
{
	struct chess_put *put = &t->puts[t->nputs];

	if (t->nputs == ARRAY_SIZE(t->puts)) {
		t->group->lost++;
		return;
	}
	t->nputs++;
	put->to = to;
	put->len = len;
	put->clear = !from;
	if (from)
		memcpy(put->bytes, from, len);
	chess_work_queue(&t->late, current, TWA_RESUME);
}

/**
 * chess_user_put() - write a result of a call
 * @t: the task, which is current
 * @to: user address
 * @from: what to write
 * @len: how much, at most CHESS_PUT_BYTES
 *
 * Context: probe (sys_enter, sys_exit).
 */
void chess_user_put(struct chess_task *t, unsigned long to, const void *from, u32 len)
{
	if (t->nputs || copy_to_user_nofault((void __user *)to, from, len))
		put_late(t, to, from, len);
}

/**
 * chess_user_clear() - write zeroes
 * @t: the task, which is current
 * @to: user address
 * @len: how many
 *
 * Context: probe (sys_enter, sys_exit).
 */
void chess_user_clear(struct chess_task *t, unsigned long to, u32 len)
{
	put_late(t, to, NULL, len);
}
