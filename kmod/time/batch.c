// SPDX-License-Identifier: GPL-2.0-only
/*
 * recvmmsg() with a time-out. The kernel looks at the time after each datagram
 * only, on its own clock; the wait for one is never ended by it (BUGS in
 * recvmmsg(2)). To look at the group's clock instead, the call is made for one
 * datagram at a time, and executed again until it has them all or its time is over.
 *
 *     sys_enter --> chess_batch_enter()   time-out out, the next datagram only
 *     sys_exit --> chess_batch_exit()     registers back; again, or the result
 *
 * What each part returns is put together as do_recvmmsg() does it.
 */
#include <linux/file.h>
#include <linux/sched/signal.h>
#include <linux/socket.h>
#include <linux/time64.h>
#include <linux/uaccess.h>
#include <net/sock.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "batch.h"
#include "chess.h"
#include "clock.h"
#include "timed_call.h"
#include "user.h"

/* Arguments of recvmmsg(). */
enum {
	ARG_FD,
	ARG_MESSAGES,
	ARG_COUNT,
	ARG_FLAGS,
	ARG_TIME,
};

/**
 * chess_batch_enter() - a task executes recvmmsg()
 * @t: the task, which is current and holds the token
 * @regs: its user registers
 *
 * Context: probe (sys_enter), virtual time.
 */
void chess_batch_enter(struct chess_task *t, struct pt_regs *regs)
{
	struct chess_batch *b = &t->batch;
	unsigned int i;
	u64 ns;

	/* A handler that calls it between two parts: its own call stays whole. */
	if (b->done && b->sp != regs->sp)
		return;
	if (!b->done) {
		if (!chess_timed_call_length(chess_arch_syscall_arg(regs, ARG_TIME), &ns) || !ns)
			return;
		for (i = 0; i < ARRAY_SIZE(b->args); i++)
			b->args[i] = chess_arch_syscall_arg(regs, i);
		b->sp = regs->sp;
		b->until = chess_clock_later(t->group, ns);
		/* Where it waits for one datagram at most, no time passes in between. */
		b->split = (u32)b->args[ARG_COUNT] > 1 &&
			   !(b->args[ARG_FLAGS] & (MSG_WAITFORONE | MSG_DONTWAIT));
	}
	b->active = true;
	chess_arch_set_syscall_arg(regs, ARG_TIME, 0);
	if (!b->split)
		return;
	chess_arch_set_syscall_arg(regs, ARG_MESSAGES, b->args[ARG_MESSAGES] +
				   b->done * sizeof(struct mmsghdr));
	chess_arch_set_syscall_arg(regs, ARG_COUNT, 1);
}

static bool was_urgent(const struct chess_batch *b)
{
	const struct mmsghdr __user *m = (void __user *)b->args[ARG_MESSAGES];
	unsigned int flags;

	return !copy_from_user_nofault(&flags, &m[b->done - 1].msg_hdr.msg_flags, sizeof(flags)) &&
	       (flags & MSG_OOB);
}

/* An error after some datagrams is kept for the next call. */
static void keep_error(const struct chess_batch *b, long error)
{
	struct file *file = fget(b->args[ARG_FD]);
	struct socket *socket;

	if (!file)
		return;
	socket = sock_from_file(file);
	if (socket && socket->sk)
		WRITE_ONCE(socket->sk->sk_err, -error);
	fput(file);
}

static void write_left(struct chess_task *t, u64 now)
{
	const struct chess_batch *b = &t->batch;
	struct timespec64 left = ns_to_timespec64(now < b->until ? b->until - now : 0);

	chess_user_put(t, b->args[ARG_TIME], &left, sizeof(left));
}

/**
 * chess_batch_exit() - recvmmsg() or a part of it ends
 * @t: the task, which is current
 * @regs: its user registers, ax the result
 *
 * Context: probe (sys_exit).
 */
void chess_batch_exit(struct chess_task *t, struct pt_regs *regs)
{
	struct chess_batch *b = &t->batch;
	u64 now = READ_ONCE(t->group->clock.now);
	long ret = regs->ax;
	unsigned int i;

	if (!b->active)
		return;
	b->active = false;
	for (i = 0; i < ARRAY_SIZE(b->args); i++)
		chess_arch_set_syscall_arg(regs, i, b->args[i]);
	if (ret > 0)
		b->done += ret;
	if (b->split && ret > 0 && b->done < (u32)b->args[ARG_COUNT] && now < b->until &&
	    !was_urgent(b) && !signal_pending(current)) {
		regs->ax = regs->orig_ax;
		chess_arch_syscall_again(regs);
		return;
	}
	if (b->done) {
		if (ret < 0 && ret != -EAGAIN)
			keep_error(b, ret);
		regs->ax = b->done;
		write_left(t, now);
		b->done = 0;
	}
}
