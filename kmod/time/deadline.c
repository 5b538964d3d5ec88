// SPDX-License-Identifier: GPL-2.0-only
/*
 * Timed waits. With virtual time a call's time-out is taken from it when it is
 * executed: the kernel waits for ever, and the task keeps the deadline, on the
 * group's clock. When a decision lets the deadline pass, the wait is ended from
 * outside as a signal ends it, and at the end of the call the result becomes the
 * time-out's. The program's registers are as it left them when it goes on.
 *
 *     sys_enter --> chess_deadline_enter()   time-out out, deadline kept
 *     sched_switch --> point.c: the task is one that waits with a deadline
 *     decision --> chess_deadline_pass_locked() --> chess_deadline_expire()
 *     sys_exit --> chess_deadline_exit()     registers back, result, remaining time
 *
 * What is invalid stays as it is: the kernel refuses it. So does a time-out of
 * zero where it is no wait.
 */
#include <linux/aio_abi.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/io_uring.h>
#include <linux/net.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/time64.h>
#include <linux/uaccess.h>
#include <net/sock.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "chess.h"
#include "child_wait.h"
#include "clock.h"
#include "deadline.h"
#include "enabled.h"
#include "late.h"
#include "record_push.h"
#include "spurious.h"
#include "task.h"
#include "timed_call.h"
#include "timer.h"
#include "user.h"

static void keep_args(struct chess_wait *w, const struct pt_regs *regs, long nr)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(w->args); i++)
		w->args[i] = chess_arch_syscall_arg(regs, i);
	w->nr = nr;
}

/* io_uring_enter() has its time-out through a pointer, if a flag is set. */
static bool enter_uring(struct chess_task *t, struct pt_regs *regs)
{
	unsigned int flags = chess_arch_syscall_arg(regs, 3);
	struct io_uring_getevents_arg arg;
	struct chess_wait *w = &t->wait_for;
	u64 ns;

	if (!(flags & IORING_ENTER_EXT_ARG) || !(flags & IORING_ENTER_GETEVENTS) ||
	    chess_arch_syscall_arg(regs, 5) != sizeof(arg) ||
	    copy_from_user_nofault(&arg, (void __user *)chess_arch_syscall_arg(regs, 4),
				   sizeof(arg)) ||
	    !chess_timed_call_length(arg.ts, &ns))
		return false;
	keep_args(w, regs, __NR_io_uring_enter);
	if (!w->kept)
		w->deadline = chess_clock_later(t->group, ns);
	w->result = -ETIME;
	chess_arch_set_syscall_arg(regs, 3, flags & ~IORING_ENTER_EXT_ARG);
	chess_arch_set_syscall_arg(regs, 4, arg.sigmask);
	chess_arch_set_syscall_arg(regs, 5, arg.sigmask ? arg.sigmask_sz : 0);
	return true;
}

/*
 * SO_RCVTIMEO and SO_SNDTIMEO stand in the socket, where other tasks may be using
 * them too: the first that waits takes the time-out out, the last puts it back.
 */
static long *timeo_of(struct sock *sk, bool send)
{
	return send ? &sk->sk_sndtimeo : &sk->sk_rcvtimeo;
}

static struct chess_task *shares_socket_locked(const struct chess_task *t, const struct file *file,
					       bool send)
	__must_hold(&t->group->plock)
{
	struct chess_task *other;

	lockdep_assert_held(&t->group->plock);
	list_for_each_entry(other, &t->group->tasks, entry)
		if (other != t && other->wait_for.file == file && other->wait_for.send == send)
			return other;
	return NULL;
}

static bool socket_call(long nr, bool *send)
{
	*send = false;
	switch (nr) {
	case __NR_connect:
	case __NR_write:
	case __NR_writev:
	case __NR_sendto:
	case __NR_sendmsg:
	case __NR_sendmmsg:
		*send = true;
		return true;
	case __NR_read:
	case __NR_readv:
	case __NR_recvfrom:
	case __NR_recvmsg:
	case __NR_recvmmsg:
	case __NR_accept:
	case __NR_accept4:
		return true;
	default:
		return false;
	}
}

/* What a call that waits in a socket returns when its time is over. */
static s16 socket_result(const struct sock *sk, long nr)
{
	if (nr != __NR_connect || sk->sk_family == AF_UNIX)
		return -EAGAIN;
	return sk->sk_family == AF_VSOCK ? -ETIMEDOUT : -EINPROGRESS;
}

static bool enter_socket(struct chess_task *t, struct pt_regs *regs, long nr)
{
	struct chess_wait *w = &t->wait_for;
	struct chess_task *other;
	struct socket *socket;
	unsigned long flags;
	struct file *file;
	long *timeo, value;
	bool send;

	if (!socket_call(nr, &send))
		return false;
	file = fget(chess_arch_syscall_arg(regs, 0));
	if (!file)
		return false;
	socket = sock_from_file(file);
	if (!socket || !socket->sk)
		goto none;
	timeo = timeo_of(socket->sk, send);
	raw_spin_lock_irqsave(&t->group->plock, flags);
	other = shares_socket_locked(t, file, send);
	value = other ? other->wait_for.timeo : READ_ONCE(*timeo);
	if (value && value != MAX_SCHEDULE_TIMEOUT) {
		w->file = file;
		w->send = send;
		w->timeo = value;
		WRITE_ONCE(*timeo, MAX_SCHEDULE_TIMEOUT);
	}
	raw_spin_unlock_irqrestore(&t->group->plock, flags);
	if (w->file != file)
		goto none;
	keep_args(w, regs, nr);
	w->result = socket_result(socket->sk, nr);
	if (!w->kept)
		w->deadline = chess_clock_later(t->group, jiffies_to_nsecs(value));
	return true;

none:
	fput(file);
	return false;
}

static void leave_socket(struct chess_task *t)
{
	struct chess_wait *w = &t->wait_for;
	struct file *file = w->file;
	unsigned long flags;

	if (!file)
		return;
	raw_spin_lock_irqsave(&t->group->plock, flags);
	w->file = NULL;
	/* Unless somebody has set it meanwhile, here or in another group or process. */
	if (!shares_socket_locked(t, file, w->send))
		cmpxchg(timeo_of(sock_from_file(file)->sk, w->send), MAX_SCHEDULE_TIMEOUT,
			w->timeo);
	raw_spin_unlock_irqrestore(&t->group->plock, flags);
	fput(file);
}

/* As select() limits what it is asked for; what it gave its sets is no longer than this. */
static u32 count_fds(int asked)
{
	u32 count;

	rcu_read_lock();
	count = files_fdtable(current->files)->max_fds;
	rcu_read_unlock();
	return asked > 0 ? min_t(u32, asked, count) : 0;
}

static bool enter_call(struct chess_task *t, struct pt_regs *regs, long nr)
{
	struct chess_wait *w = &t->wait_for;
	struct chess_timed_call c;
	u64 deadline;

	if (!chess_timed_call_find(&c, regs, nr))
		return false;
	if (c.pause && chess_timed_call_is_over(t->group, &c, regs)) {
		/* Not even this long: the kernel would sleep for its timer slack. */
		chess_arch_syscall_answer(regs, 0);
		return false;
	}
	if (!chess_timed_call_deadline(t->group, &c, regs, &deadline))
		return false;
	keep_args(w, regs, nr);
	if (nr == __NR_select || nr == __NR_pselect6)
		w->nfds = count_fds(w->args[0]);
	if (!w->kept)
		w->deadline = deadline;
	w->result = c.result;
	w->left = c.left;
	w->timeval = c.form == CHESS_FORM_TIMEVAL;
	w->always = c.always;
	if (c.pause)
		chess_arch_set_syscall_nr(regs, __NR_pause);
	else
		chess_arch_set_syscall_arg(regs, c.arg, c.form == CHESS_FORM_MS ? -1UL : 0);
	return true;
}

/**
 * chess_deadline_enter() - a task executes a call: take its time-out out
 * @t: the task, which is current and holds the token
 * @regs: its user registers
 * @nr: number of the call
 *
 * A call that is executed again after a signal keeps the deadline it had.
 *
 * Context: probe (sys_enter), virtual time.
 */
void chess_deadline_enter(struct chess_task *t, struct pt_regs *regs, long nr)
{
	struct chess_wait *w = &t->wait_for;
	unsigned long flags;
	bool timed, again;

	if (nr == __NR_restart_syscall) {
		timed = w->kept;
	} else {
		w->guards = (READ_ONCE(t->group->flags) & CHESS_RUN_FLAGS_LATE_WATCHDOGS) &&
			      chess_child_wait_is(regs, nr);
		w->kept = w->kept && w->nr == nr;
		w->left = 0;
		timed = nr == __NR_io_uring_enter ? enter_uring(t, regs) :
			enter_call(t, regs, nr) || enter_socket(t, regs, nr);
	}
	again = w->kept;
	w->kept = false;
	chess_spurious_enter(t, regs, nr);
	w->endless = !timed;
	if (!timed && !t->spurious.returns)
		return;
	if (!timed)
		keep_args(w, regs, nr);
	raw_spin_lock_irqsave(&t->group->plock, flags);
	w->passed = false;
	t->spurious.decided = false;
	w->late = timed && (again ? w->late : chess_late_why_locked(t, w->deadline));
	w->active = true;
	raw_spin_unlock_irqrestore(&t->group->plock, flags);
}

/* What the kernel leaves of the time-out, for calls that say so. */
static void write_left(struct chess_task *t, bool passed)
{
	const struct chess_wait *w = &t->wait_for;
	unsigned long to = w->args[w->left - 1];
	u64 now = READ_ONCE(t->group->clock.now);
	struct timespec64 left;
	s64 tv[2];

	if (!to)
		return;
	left = ns_to_timespec64(passed || now >= w->deadline ? 0 : w->deadline - now);
	if (w->timeval) {
		tv[0] = left.tv_sec;
		tv[1] = left.tv_nsec / NSEC_PER_USEC;
		chess_user_put(t, to, tv, sizeof(tv));
	} else {
		chess_user_put(t, to, &left, sizeof(left));
	}
}

/* select() clears its sets when it times out; interrupted it leaves them alone. */
static void clear_sets(struct chess_task *t)
{
	const struct chess_wait *w = &t->wait_for;
	u32 bytes = BITS_TO_LONGS(w->nfds) * sizeof(long);
	unsigned int i;

	for (i = 1; i <= 3; i++)
		if (w->args[i] && bytes)
			chess_user_clear(t, w->args[i], bytes);
}

static bool is_interrupted(long ret)
{
	return ret == -EINTR || (ret <= -ERESTARTSYS && ret >= -ERESTART_RESTARTBLOCK);
}

/**
 * chess_deadline_exit() - a call with a deadline ends
 * @t: the task, which is current
 * @regs: its user registers
 * @ret: result
 *
 * Context: probe (sys_exit).
 */
void chess_deadline_exit(struct chess_task *t, struct pt_regs *regs, long ret)
{
	struct chess_wait *w = &t->wait_for;
	bool passed, nothing, interrupted = is_interrupted(ret), socket = w->file;
	unsigned long flags;
	unsigned int i;

	if (!w->active)
		return;
	raw_spin_lock_irqsave(&t->group->plock, flags);
	w->active = false;
	/* It may have ended otherwise just before: then that is its end. */
	passed = w->passed && (interrupted || (ret == -EWOULDBLOCK && w->nr == __NR_futex));
	w->passed = false;
	nothing = passed && t->spurious.decided;
	raw_spin_unlock_irqrestore(&t->group->plock, flags);
	leave_socket(t);
	if (w->nr != __NR_restart_syscall) {
		for (i = 0; i < ARRAY_SIZE(w->args); i++)
			chess_arch_set_syscall_arg(regs, i, w->args[i]);
		if (regs->orig_ax != __NR_restart_syscall)
			chess_arch_set_syscall_nr(regs, w->nr);
	}
	w->kept = interrupted && !passed;
	if (w->left && (w->always || (interrupted && !passed)))
		write_left(t, passed);
	/* As with a time-out: a handler ends it, whatever its flags, or any signal. */
	if (!passed && w->nr == __NR_futex && !w->endless && ret == -ERESTARTSYS)
		regs->ax = -ERESTARTNOHAND;
	if (!passed && socket && ret == -ERESTARTSYS)
		regs->ax = -EINTR;
	if (!passed)
		return;
	regs->ax = nothing ? chess_spurious_end(t) : w->result;
	if (w->nr == __NR_select || w->nr == __NR_pselect6)
		clear_sets(t);
}

/* With no-watchdogs a limit for a child never passes. */
static bool never_passes(const struct chess_group *g, const struct chess_wait *w)
{
	return w->guards && (g->flags & CHESS_RUN_FLAGS_NO_WATCHDOGS);
}

static struct chess_task *first_of_locked(const struct chess_group *g, const struct chess_set *set)
	__must_hold(&g->plock)
{
	struct chess_task *t, *first = NULL;
	unsigned int id;

	lockdep_assert_held(&g->plock);
	for (id = chess_set_next(set, 0); id != CHESS_TASK_NONE;
	     id = chess_set_next(set, id + 1)) {
		t = g->by_id[id];
		if (!never_passes(g, &t->wait_for) &&
		    (!first || t->wait_for.deadline < first->wait_for.deadline))
			first = t;
	}
	return first;
}

/**
 * chess_deadline_first_locked() - who waits with the earliest deadline
 * @g: the group
 *
 * Not counting watchdogs, unless one is admitted.
 *
 * Context: any, group->plock held.
 * Return: the task, of equal ones that with the lowest id; NULL where none waits.
 */
struct chess_task *chess_deadline_first_locked(const struct chess_group *g)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	return first_of_locked(g, &g->timed);
}

/**
 * chess_deadline_retract_locked() - no watchdog may bark
 * @g: the group
 *
 * Context: any, group->plock held.
 */
void chess_deadline_retract_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	if (g->deadlines.admitted != CHESS_TASK_NONE &&
	    chess_set_has(&g->timed, g->deadlines.admitted)) {
		chess_set_remove(&g->timed, g->deadlines.admitted);
		chess_set_add(&g->deadlines.guarding, g->deadlines.admitted);
	}
	g->deadlines.admitted = CHESS_TASK_NONE;
}

/**
 * chess_deadline_admit_locked() - nobody can go on: the first watchdog's time counts, too
 * @g: the group, retracted
 *
 * It does where no other deadline is earlier.
 *
 * Context: any, group->plock held.
 */
void chess_deadline_admit_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	struct chess_task *dog = first_of_locked(g, &g->deadlines.guarding);
	struct chess_task *first = chess_deadline_first_locked(g);

	lockdep_assert_held(&g->plock);
	if (!dog || (first && first->wait_for.deadline <= dog->wait_for.deadline))
		return;
	chess_set_remove(&g->deadlines.guarding, dog->id);
	chess_set_add(&g->timed, dog->id);
	g->deadlines.admitted = dog->id;
}

/**
 * chess_deadline_next_locked() - when does the first deadline pass
 * @g: the group
 *
 * Watchdogs' included, where they may pass at all.
 *
 * Context: any, group->plock held.
 * Return: nanoseconds of the group's clock; U64_MAX: there is none.
 */
u64 chess_deadline_next_locked(const struct chess_group *g)
	__must_hold(&g->plock)
{
	const struct chess_task *first = chess_deadline_first_locked(g);
	const struct chess_task *dog = first_of_locked(g, &g->deadlines.guarding);

	lockdep_assert_held(&g->plock);
	return min(first ? first->wait_for.deadline : U64_MAX,
		   dog ? dog->wait_for.deadline : U64_MAX);
}

static void put_off_locked(const struct chess_group *g, const struct chess_set *set, u64 until)
	__must_hold(&g->plock)
{
	struct chess_wait *w;
	unsigned int id;

	lockdep_assert_held(&g->plock);
	for (id = chess_set_next(set, 0); id != CHESS_TASK_NONE;
	     id = chess_set_next(set, id + 1)) {
		w = &g->by_id[id]->wait_for;
		if (chess_deadline_is_held(w))
			w->deadline = chess_clock_put_off(g, w->deadline, until);
	}
}

/**
 * chess_deadline_put_off_locked() - time passes before its time: not for watchdogs
 * @g: the group
 * @until: when the clock is moved to
 *
 * Context: any, group->plock held.
 */
void chess_deadline_put_off_locked(struct chess_group *g, u64 until)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	put_off_locked(g, &g->deadlines.guarding, until);
	put_off_locked(g, &g->timed, until);
	chess_timer_put_off_locked(g, until);
}

/**
 * chess_deadline_pass_locked() - the deadline of a task passes now
 * @t: a task that waits with one
 *
 * Or its wait ends without a wake-up. It is enabled; once it holds the token
 * chess_deadline_expire() ends its wait.
 *
 * Context: any, group->plock held.
 */
void chess_deadline_pass_locked(struct chess_task *t)
	__must_hold(&g->plock)
{
	struct chess_group *g = t->group;

	lockdep_assert_held(&g->plock);
	if (!t->spurious.decided)
		g->clock.now = max(g->clock.now, t->wait_for.deadline);
	t->wait_for.passed = true;
	chess_task_enable_locked(t);
	/* Whoever waits with a time-out says that it cannot go on. */
	chess_fair_yield(&g->fair, t->fair, t->id, &g->enabled);
	t->seq = chess_record_push_locked(g, &(struct chess_event) {
		.type = CHESS_EVENT_TIMEOUT,
		.object_kind = CHESS_OBJECT_TIME,
		.task = t->id,
		.chosen = CHESS_TASK_NONE,
		.object = g->clock.now,
	});
}

static void expire_fn(struct callback_head *head)
{
	struct chess_task *t = container_of(head, struct chess_task, expire.head);

	clear_bit(0, &t->expire.queued);
}

/**
 * chess_deadline_init() - prepare a new task
 * @t: the task
 *
 * Context: any.
 */
void chess_deadline_init(struct chess_task *t)
{
	init_task_work(&t->expire.head, expire_fn);
}

/**
 * chess_deadline_expire() - end the wait of a task whose deadline passed
 * @t: the task
 *
 * As a signal does, but there is none: the work does nothing.
 *
 * Context: irq work or task work; not under plock, the run-queue lock, p->pi_lock.
 */
void chess_deadline_expire(struct chess_task *t)
{
	/* io_uring_enter() runs task works and waits on; a signal ends it. */
	if (t->wait_for.nr == __NR_io_uring_enter)
		set_tsk_thread_flag(t->task, TIF_SIGPENDING);
	chess_work_queue(&t->expire, t->task, TWA_SIGNAL);
}
