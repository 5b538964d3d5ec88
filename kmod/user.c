// SPDX-License-Identifier: GPL-2.0-only
/*
 * See user.h. A tracepoint may not fault. Pages that a program just used are
 * there, so nearly always the memory is written at once; else it is written by a
 * task work, before the task is back in user mode and before any signal handler,
 * and a fault is the call's own: EFAULT. An argument that is not there is read by a task work
 * while the call waits to be made again: no program can tell whether the page was there.
 */
#include <linux/pagemap.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>

#include "chess.h"
#include "task.h"
#include "user.h"

static void write_late(struct callback_head *head)
{
	struct chess_task *t = container_of(head, struct chess_task, late.work.head);
	bool failed = false;
	u32 i;

	clear_bit(0, &t->late.work.queued);
	for (i = 0; i < t->late.n; i++) {
		struct chess_put *put = &t->late.puts[i];
		void __user *to = (void __user *)put->to;

		failed |= put->clear ? clear_user(to, put->len) :
				       copy_to_user(to, put->bytes, put->len);
	}
	t->late.n = 0;
	if (failed)
		task_pt_regs(current)->ax = -EFAULT;
}

/* Where the kernel cannot read it either, the call says so when it is made again. */
static void fetch_late(struct callback_head *head)
{
	struct chess_task *t = container_of(head, struct chess_task, fetch.work.head);
	struct chess_fetch *f = &t->fetch;

	clear_bit(0, &f->work.queued);
	if (f->write)
		fault_in_safe_writeable((const char __user *)f->from[f->n - 1], f->len);
	else
		fault_in_readable((const char __user *)f->from[f->n - 1], f->len);
}

/**
 * chess_user_init() - prepare a new task
 * @t: the task
 *
 * Context: any.
 */
void chess_user_init(struct chess_task *t)
{
	init_task_work(&t->late.work.head, write_late);
	init_task_work(&t->fetch.work.head, fetch_late);
}

static void put_late(struct chess_task *t, unsigned long to, const void *from, u32 len)
{
	struct chess_put *put = &t->late.puts[t->late.n];

	if (t->late.n == ARRAY_SIZE(t->late.puts)) {
		t->group->lost++;
		return;
	}
	t->late.n++;
	put->to = to;
	put->len = len;
	put->clear = !from;
	if (from)
		memcpy(put->bytes, from, len);
	chess_work_queue(&t->late.work, current, TWA_RESUME);
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
	if (t->late.n || copy_to_user_nofault((void __user *)to, from, len))
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

static void bring(struct chess_fetch *f, unsigned long from, u32 len, bool write)
{
	f->from[f->n++] = from;
	f->len = len;
	f->write = write;
	chess_work_queue(&f->work, current, TWA_RESUME);
}

/* Has this call been skipped once to have this read? */
static bool was_tried(const struct chess_fetch *f, unsigned long from)
{
	unsigned int i;

	for (i = 0; i < f->n; i++)
		if (f->from[i] == from)
			return true;
	return f->n == ARRAY_SIZE(f->from);
}

/**
 * chess_user_is_there() - is an argument in memory that a call has there
 * @t: the task, which is current
 * @regs: its user registers
 * @from: user address; NULL is there
 * @len: bytes, at most a page
 *
 * It is asked once for a call: what is not there at the second time cannot be read, or went
 * again, and the reader has to do without.
 *
 * Context: probe (sys_enter).
 * Return: false: the call is to be skipped, and made again.
 */
bool chess_user_is_there(struct chess_task *t, const struct pt_regs *regs, unsigned long from,
			 u32 len)
{
	struct chess_fetch *f = &t->fetch;
	u8 byte;

	if (!from || !len ||
	    (!copy_from_user_nofault(&byte, (void __user *)from, sizeof(byte)) &&
	     !copy_from_user_nofault(&byte, (void __user *)(from + len - 1), sizeof(byte))))
		return true;
	if (f->ip != regs->ip || f->sp != regs->sp || f->nr != regs->orig_ax)
		f->n = 0;
	if (was_tried(f, from))
		return true;
	f->ip = regs->ip;
	f->sp = regs->sp;
	f->nr = regs->orig_ax;
	bring(f, from, len, false);
	return false;
}

/**
 * chess_user_get() - read an argument that a call has in memory
 * @t: the task, which is current
 * @regs: its user registers
 * @from: user address of eight bytes
 * @value: set to what they are; zero where the kernel cannot read them either
 *
 * Context: probe (sys_enter).
 * Return: false: the call is to be skipped, and made again.
 */
bool chess_user_get(struct chess_task *t, const struct pt_regs *regs, unsigned long from,
		    u64 *value)
{
	if (!copy_from_user_nofault(value, (void __user *)from, sizeof(*value)))
		return true;
	*value = 0;
	return chess_user_is_there(t, regs, from, sizeof(*value));
}

/**
 * chess_user_bring() - bring memory in that an instruction is about to access
 * @t: the task, which is current; it comes to the instruction again
 * @from: user address
 * @len: bytes, at most a page
 * @write: it is to be written to
 *
 * Context: probe (trap of current).
 */
void chess_user_bring(struct chess_task *t, unsigned long from, u32 len, bool write)
{
	/* Of no call. */
	t->fetch.ip = 0;
	t->fetch.n = 0;
	bring(&t->fetch, from, len, write);
}
