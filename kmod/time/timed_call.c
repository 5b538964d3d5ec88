// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls with a time-out among their arguments: one table, and how the time-out is read from
 * the program. Nothing is changed here; deadline.c takes the time-outs out.
 *
 * Not in the table: io_uring_enter() and sockets, whose time-outs are no arguments.
 */
#include <linux/errno.h>
#include <linux/nospec.h>
#include <linux/time64.h>
#include <linux/uaccess.h>
#include <uapi/linux/futex.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "chess.h"
#include "clock.h"
#include "timed_call.h"

static const struct chess_timed_call calls[] = {
	/* These two are completed by what they are asked for. */
	[__NR_futex] = { .form = CHESS_FORM_ABSOLUTE, .arg = 3, .result = -ETIMEDOUT },
	[__NR_clock_nanosleep] = { .form = CHESS_FORM_TIMESPEC, .arg = 2, .clock_arg = 1,
				   .pause = true, .left = 4 },

	[__NR_nanosleep] = { .form = CHESS_FORM_TIMESPEC, .arg = 0, .pause = true, .left = 2 },
	[__NR_futex_waitv] = { .form = CHESS_FORM_ABSOLUTE, .arg = 3, .clock_arg = 5,
			       .result = -ETIMEDOUT },
	[CHESS_NR_FUTEX_WAIT] = { .form = CHESS_FORM_ABSOLUTE, .arg = 4, .clock_arg = 6,
				  .result = -ETIMEDOUT },
	[__NR_poll] = { .form = CHESS_FORM_MS, .arg = 2 },
	[__NR_ppoll] = { .form = CHESS_FORM_TIMESPEC, .arg = 2, .left = 3, .always = true },
	[__NR_select] = { .form = CHESS_FORM_TIMEVAL, .arg = 4, .left = 5, .always = true },
	[__NR_pselect6] = { .form = CHESS_FORM_TIMESPEC, .arg = 4, .left = 5, .always = true },
	[__NR_epoll_wait] = { .form = CHESS_FORM_MS, .arg = 3 },
	[__NR_epoll_pwait] = { .form = CHESS_FORM_MS, .arg = 3 },
	[__NR_epoll_pwait2] = { .form = CHESS_FORM_TIMESPEC, .arg = 3 },
	[__NR_rt_sigtimedwait] = { .form = CHESS_FORM_TIMESPEC, .arg = 2, .result = -EAGAIN },
	[__NR_semtimedop] = { .form = CHESS_FORM_TIMESPEC, .arg = 3, .sleeps = true,
			      .result = -EAGAIN },
	[__NR_mq_timedsend] = { .form = CHESS_FORM_ABSOLUTE, .arg = 4, .clock = CLOCK_REALTIME,
				.result = -ETIMEDOUT },
	[__NR_mq_timedreceive] = { .form = CHESS_FORM_ABSOLUTE, .arg = 4, .clock = CLOCK_REALTIME,
				   .result = -ETIMEDOUT },
	[__NR_io_getevents] = { .form = CHESS_FORM_TIMESPEC, .arg = 4 },
	[__NR_io_pgetevents] = { .form = CHESS_FORM_TIMESPEC, .arg = 4 },
};

/* Returns false for an op without a time-out. */
static bool complete_futex(struct chess_timed_call *c, const struct pt_regs *regs)
{
	int op = chess_arch_syscall_arg(regs, 1);

	c->clock = op & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
		c->form = CHESS_FORM_TIMESPEC;
		c->sleeps = true;
		return true;
	case FUTEX_LOCK_PI:
		c->clock = CLOCK_REALTIME;
		return true;
	case FUTEX_WAIT_BITSET:
	case FUTEX_LOCK_PI2:
	case FUTEX_WAIT_REQUEUE_PI:
		return true;
	default:
		return false;
	}
}

/**
 * chess_timed_call_find() - does a call have a time-out among its arguments?
 * @c: to describe it in
 * @regs: user registers of the task
 * @nr: number of the call
 *
 * Context: any, in current.
 * Return: whether it has, given or not.
 */
bool chess_timed_call_find(struct chess_timed_call *c, const struct pt_regs *regs, long nr)
{
	if ((unsigned long)nr >= ARRAY_SIZE(calls))
		return false;
	nr = array_index_nospec(nr, ARRAY_SIZE(calls));
	if (calls[nr].form == CHESS_FORM_NONE)
		return false;
	*c = calls[nr];
	if (c->clock_arg)
		c->clock = chess_arch_syscall_arg(regs, c->clock_arg - 1);
	/* The kernel refuses it, at once. */
	if (nr == __NR_clock_nanosleep && !chess_clock_sleeps(c->clock))
		return false;
	if (nr == __NR_clock_nanosleep && (chess_arch_syscall_arg(regs, 1) & TIMER_ABSTIME)) {
		c->form = CHESS_FORM_ABSOLUTE;
		c->left = 0;
	}
	return nr != __NR_futex || complete_futex(c, regs);
}

/**
 * chess_timed_call_length() - a length of time a program gives to a call
 * @from: user address of the timespec
 * @ns: nanoseconds
 *
 * Context: any, in current.
 * Return: false where there is none that the kernel would take.
 */
bool chess_timed_call_length(unsigned long from, u64 *ns)
{
	struct timespec64 ts;

	if (!from || copy_from_user_nofault(&ts, (void __user *)from, sizeof(ts)) ||
	    !timespec64_valid(&ts))
		return false;
	*ns = ts.tv_sec < KTIME_SEC_MAX ? ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec : KTIME_MAX;
	return true;
}

static bool read_timeval(unsigned long from, u64 *ns)
{
	s64 tv[2];

	if (!from || copy_from_user_nofault(tv, (void __user *)from, sizeof(tv)) || tv[0] < 0 ||
	    tv[1] < 0)
		return false;
	/* select() carries over microseconds beyond a second. */
	tv[0] += tv[1] / USEC_PER_SEC;
	tv[1] %= USEC_PER_SEC;
	*ns = tv[0] < KTIME_SEC_MAX ? tv[0] * NSEC_PER_SEC + tv[1] * NSEC_PER_USEC : KTIME_MAX;
	return true;
}

/**
 * chess_timed_call_deadline() - the deadline of a call, on the group's clock
 * @g: the group
 * @c: the call
 * @regs: user registers of the task
 * @deadline: nanoseconds of the group's clock
 *
 * Context: any, in current.
 * Return: false where there is none to take over: no time-out is given, it is of no
 * wait, or the kernel refuses it.
 */
bool chess_timed_call_deadline(const struct chess_group *g, const struct chess_timed_call *c,
			       const struct pt_regs *regs, u64 *deadline)
{
	unsigned long value = chess_arch_syscall_arg(regs, c->arg);
	u64 ns;

	switch (c->form) {
	case CHESS_FORM_MS:
		if ((int)value <= 0)
			return false;
		*deadline = chess_clock_later(g, (u64)(int)value * NSEC_PER_MSEC);
		return true;
	case CHESS_FORM_TIMESPEC:
		if (!chess_timed_call_length(value, &ns) || (!ns && !c->sleeps))
			return false;
		*deadline = chess_clock_later(g, ns);
		return true;
	case CHESS_FORM_TIMEVAL:
		if (!read_timeval(value, &ns) || !ns)
			return false;
		*deadline = chess_clock_later(g, ns);
		return true;
	case CHESS_FORM_ABSOLUTE:
		return chess_timed_call_length(value, &ns) &&
		       chess_clock_own_instant(g, c->clock, ns, deadline);
	default:
		return false;
	}
}

/**
 * chess_timed_call_is_over() - does a sleep end when it begins?
 * @g: the group
 * @c: the call, which has a pointer to a timespec
 * @regs: user registers of the task
 *
 * Context: any, in current.
 * Return: whether it does.
 */
bool chess_timed_call_is_over(const struct chess_group *g, const struct chess_timed_call *c,
			      const struct pt_regs *regs)
{
	unsigned long value = chess_arch_syscall_arg(regs, c->arg);
	u64 ns, instant;

	if (!chess_timed_call_length(value, &ns) ||
	    !chess_clock_own_instant(g, c->clock, ns, &instant))
		return false;
	return c->form == CHESS_FORM_ABSOLUTE ? instant <= g->clock.now : !ns;
}
