// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which arguments of a call are read at sys_enter, where reading may not fault: times, paths, and
 * what tells a wait for a child from others. A constant that a forked process has not read
 * yet is not in memory. Its page has to be brought in before the call is looked at, else the
 * same call would be a wait on the group's clock in one run, and on the machine's in another.
 *
 * Left out are arguments of no such call, of which the reader says what it does without them.
 */
#include <linux/io_uring.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/uaccess.h>
#include <asm/unistd.h>

#include "args.h"
#include "arch_x86.h"
#include "calls.h"
#include "chess.h"
#include "path.h"
#include "time/child_wait.h"
#include "time/timed_call.h"
#include "user.h"

/* A timespec or a timeval; two of them. */
#define TIME_BYTES	(2 * sizeof(s64))
#define TIMES_BYTES	(2 * TIME_BYTES)

static bool is_there(struct chess_task *t, const struct pt_regs *regs, unsigned int arg, u32 len)
{
	return chess_user_is_there(t, regs, chess_arch_syscall_arg(regs, arg), len);
}

/* The time-out is in a struct, through another pointer. */
static bool is_rings_there(struct chess_task *t, const struct pt_regs *regs)
{
	unsigned long from = chess_arch_syscall_arg(regs, 4);
	struct io_uring_getevents_arg arg;

	if (!(chess_arch_syscall_arg(regs, 3) & IORING_ENTER_EXT_ARG))
		return true;
	if (!chess_user_is_there(t, regs, from, sizeof(arg)))
		return false;
	return copy_from_user_nofault(&arg, (void __user *)from, sizeof(arg)) ||
	       chess_user_is_there(t, regs, arg.ts, TIME_BYTES);
}

/* See child_wait.c. */
static bool are_polled_there(struct chess_task *t, const struct pt_regs *regs)
{
	unsigned long n = min(chess_arch_syscall_arg(regs, 1), CHESS_MOST_POLLED);

	return is_there(t, regs, 0, n * sizeof(struct pollfd));
}

/**
 * chess_args_are_there() - are the arguments of a call in memory that are read at sys_enter
 * @t: the task, which is current
 * @regs: its user registers
 * @nr: number of the call
 *
 * Context: probe (sys_enter).
 * Return: false: the call is to be skipped, and made again.
 */
bool chess_args_are_there(struct chess_task *t, const struct pt_regs *regs, long nr)
{
	const struct chess_call *s = chess_call_of(nr);
	struct chess_timed_call c;

	if (s->source == CHESS_OBJECT_FROM_PATH)
		return is_there(t, regs, s->arg, CHESS_PATH_BYTES);
	switch (nr) {
	case __NR_setitimer:
		return is_there(t, regs, 1, TIMES_BYTES);
	case __NR_timer_settime:
	case __NR_timerfd_settime:
		return is_there(t, regs, 2, TIMES_BYTES);
	case __NR_recvmmsg:
		return is_there(t, regs, 4, TIME_BYTES);
	case __NR_io_uring_enter:
		return is_rings_there(t, regs);
	case __NR_sched_setaffinity:
		return is_there(t, regs, 2, min(chess_arch_syscall_arg(regs, 1),
						sizeof(struct cpumask)));
	}
	if (!chess_timed_call_find(&c, regs, nr))
		return true;
	if (c.form != CHESS_FORM_MS && !is_there(t, regs, c.arg, TIME_BYTES))
		return false;
	switch (nr) {
	case __NR_poll:
	case __NR_ppoll:
		return are_polled_there(t, regs);
	case __NR_rt_sigtimedwait:
		return is_there(t, regs, 0, sizeof(u64));
	default:
		return true;
	}
}
