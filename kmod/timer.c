// SPDX-License-Identifier: GPL-2.0-only
/*
 * Timers of programs: alarm(), setitimer(ITIMER_REAL), timer_create(), timerfd. With
 * virtual time they are armed here and never in the kernel. One goes off when the
 * group's clock is behind its deadline at a decision, or when nobody can go on and
 * no wait ends before it; the clock then moves there. Going off is no decision: the
 * decision waits until it is done.
 *
 * What goes off is as the kernel does it: the signal is the kernel's own, and the
 * expiry of a timerfd is the kernel's function for it. So what a program sees in
 * siginfo, epoll or read() needs no copy here.
 *
 *     settle --> chess_timer_is_due_locked() --> irq work --> chess_timer_fire()
 *
 * Timers of processor time, and those of clocks the group does not answer for,
 * stay the machine's.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/pid.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/time64.h>
#include <linux/timerfd.h>
#include <linux/uaccess.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "clock.h"
#include "compat.h"
#include "record.h"
#include "task.h"
#include "timer.h"
#include "uring.h"
#include "user.h"

enum timer_kind {
	TIMER_FREE,
	TIMER_ITIMER,	/* of a process: SIGALRM */
	TIMER_POSIX,	/* of a process: its sigevent */
	TIMER_FILE,	/* timerfd */
	TIMER_RING,	/* a time-out request of io_uring */
};

/**
 * struct chess_timer - a timer of the program
 * @kind: enum timer_kind
 * @armed: goes off at @deadline
 * @due: is going off
 * @clock: its clock
 * @notify: SIGEV_SIGNAL, SIGEV_NONE or SIGEV_SIGNAL | SIGEV_THREAD_ID
 * @signo: signal
 * @id: of TIMER_POSIX: the program's number for it
 * @owner: id of the task that made it
 * @process: whose it is, or NULL; a reference is held
 * @thread: who gets the signal, with SIGEV_THREAD_ID; a reference is held
 * @file: of TIMER_FILE; a reference is held
 * @ring: of TIMER_RING: the kernel's timer, see uring.c
 * @value: for the signal
 * @deadline: nanoseconds of the group's clock
 * @interval: nanoseconds; 0: once
 * @overrun: intervals that passed since it went off last
 */
struct chess_timer {
	u8 kind;
	bool armed;
	bool due;
	int clock;
	int notify;
	int signo;
	int id;
	u32 owner;
	struct pid *process;
	struct pid *thread;
	struct file *file;
	struct hrtimer *ring;
	sigval_t value;
	u64 deadline;
	u64 interval;
	u64 overrun;
};

/* Times as they are given and shown: two values, interval and time to go. */
struct times {
	u64 interval;
	u64 value;
};

static struct chess_timer *find_locked(struct chess_group *g, int kind, const struct pid *process,
				       int id, const struct file *file)
{
	unsigned int i;

	for (i = 0; i < CHESS_MAX_TIMERS; i++) {
		struct chess_timer *timer = &g->timers[i];

		if (timer->kind == kind && timer->process == process && timer->id == id &&
		    timer->file == file)
			return timer;
	}
	return NULL;
}

static void arm_locked(struct chess_group *g, struct chess_timer *timer, bool arm)
{
	g->narmed += arm - timer->armed;
	timer->armed = arm;
}

static struct chess_timer *add_locked(struct chess_group *g, const struct chess_timer *new)
{
	unsigned int i;

	for (i = 0; i < CHESS_MAX_TIMERS; i++)
		if (g->timers[i].kind == TIMER_FREE) {
			g->timers[i] = *new;
			return &g->timers[i];
		}
	g->lost++;
	return NULL;
}

static bool read_times(unsigned long from, bool timeval, struct times *times)
{
	s64 raw[4];
	u64 part = timeval ? USEC_PER_SEC : NSEC_PER_SEC, unit = NSEC_PER_SEC / part;
	unsigned int i;

	if (copy_from_user_nofault(raw, (void __user *)from, sizeof(raw)))
		return false;
	for (i = 0; i < 4; i += 2)
		if (raw[i] < 0 || raw[i + 1] < 0 || (u64)raw[i + 1] >= part)
			return false;
	times->interval = min_t(u64, raw[0], KTIME_SEC_MAX - 1) * NSEC_PER_SEC + raw[1] * unit;
	times->value = min_t(u64, raw[2], KTIME_SEC_MAX - 1) * NSEC_PER_SEC + raw[3] * unit;
	return true;
}

static void put_times(struct chess_task *t, unsigned long to, bool timeval,
		      const struct times *times)
{
	u64 unit = timeval ? NSEC_PER_USEC : 1;
	struct timespec64 interval = ns_to_timespec64(times->interval);
	struct timespec64 value = ns_to_timespec64(times->value);
	s64 raw[4] = {
		interval.tv_sec, (u64)interval.tv_nsec / unit,
		value.tv_sec, (u64)value.tv_nsec / unit,
	};

	chess_user_put(t, to, raw, sizeof(raw));
}

static void show_locked(const struct chess_group *g, const struct chess_timer *timer,
			struct times *times)
{
	times->interval = timer->interval;
	/* Not yet gone off although it should have: the least there is. */
	times->value = !timer->armed ? 0 : timer->deadline > g->now ? timer->deadline - g->now : 1;
}

/* Returns false for a clock the group does not answer for. */
static bool set_locked(struct chess_group *g, struct chess_timer *timer, const struct times *times,
		       bool absolute)
{
	u64 instant = g->now + times->value;

	if (absolute && !chess_clock_instant(g, timer->clock, times->value, &instant))
		return false;
	timer->deadline = instant;
	timer->interval = times->interval;
	timer->overrun = 0;
	arm_locked(g, timer, times->value != 0);
	return true;
}

/* Both ways to set the timer of a process; what stood there before in @old. */
static bool set_itimer(struct chess_task *t, const struct times *times, struct times *old)
{
	struct chess_timer new = {
		.kind = TIMER_ITIMER, .clock = CLOCK_MONOTONIC, .signo = SIGALRM, .owner = t->id,
		.process = task_tgid(current),
	};
	struct chess_group *g = t->group;
	struct chess_timer *timer;
	unsigned long flags;

	*old = (struct times) { 0 };
	raw_spin_lock_irqsave(&g->plock, flags);
	timer = find_locked(g, TIMER_ITIMER, new.process, 0, NULL);
	if (timer) {
		show_locked(g, timer, old);
	} else {
		timer = add_locked(g, &new);
		if (timer)
			get_pid(new.process);
	}
	if (timer)
		set_locked(g, timer, times, false);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	return timer;
}

static bool answer_alarm(struct chess_task *t, struct pt_regs *regs)
{
	struct times times = { .value = (u64)(u32)chess_arch_syscall_arg(regs, 0) * NSEC_PER_SEC };
	struct times old;
	u64 seconds;

	if (!set_itimer(t, &times, &old))
		return false;
	/* Rounded as alarm() does, but never to zero while one was set. */
	seconds = (old.value + NSEC_PER_SEC / 2) / NSEC_PER_SEC;
	chess_arch_syscall_answer(regs, old.value ? max(seconds, 1ULL) : 0);
	return true;
}

static bool answer_setitimer(struct chess_task *t, struct pt_regs *regs)
{
	unsigned long new = chess_arch_syscall_arg(regs, 1), to = chess_arch_syscall_arg(regs, 2);
	struct times times = { 0 }, old;

	if (chess_arch_syscall_arg(regs, 0) != ITIMER_REAL ||
	    (new && !read_times(new, true, &times)) || !set_itimer(t, &times, &old))
		return false;
	chess_arch_syscall_answer(regs, 0);
	if (to)
		put_times(t, to, true, &old);
	return true;
}

static bool answer_getitimer(struct chess_task *t, struct pt_regs *regs)
{
	struct chess_group *g = t->group;
	struct chess_timer *timer;
	struct times times = { 0 };
	unsigned long flags;

	if (chess_arch_syscall_arg(regs, 0) != ITIMER_REAL)
		return false;
	raw_spin_lock_irqsave(&g->plock, flags);
	timer = find_locked(g, TIMER_ITIMER, task_tgid(current), 0, NULL);
	if (timer)
		show_locked(g, timer, &times);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	chess_arch_syscall_answer(regs, 0);
	put_times(t, chess_arch_syscall_arg(regs, 1), true, &times);
	return true;
}

/* timer_settime() and timerfd_settime(), timer_gettime() and timerfd_gettime(). */
static bool answer_set(struct chess_task *t, struct pt_regs *regs, int kind, struct file *file)
{
	unsigned long to = chess_arch_syscall_arg(regs, 3);
	int id = file ? 0 : chess_arch_syscall_arg(regs, 0), how = chess_arch_syscall_arg(regs, 1);
	struct chess_group *g = t->group;
	struct chess_timer *timer;
	struct times times, old;
	unsigned long flags;
	bool done = false;

	if ((how & ~(TIMER_ABSTIME | (file ? TFD_TIMER_CANCEL_ON_SET : 0))) ||
	    !read_times(chess_arch_syscall_arg(regs, 2), false, &times))
		return false;
	raw_spin_lock_irqsave(&g->plock, flags);
	timer = find_locked(g, kind, file ? NULL : task_tgid(current), id, file);
	if (timer) {
		show_locked(g, timer, &old);
		done = set_locked(g, timer, &times, how & TIMER_ABSTIME);
	}
	raw_spin_unlock_irqrestore(&g->plock, flags);
	if (!done)
		return false;
	chess_arch_syscall_answer(regs, 0);
	if (to)
		put_times(t, to, false, &old);
	return true;
}

static bool answer_get(struct chess_task *t, struct pt_regs *regs, int kind, struct file *file)
{
	int id = file ? 0 : chess_arch_syscall_arg(regs, 0);
	struct chess_group *g = t->group;
	struct chess_timer *timer;
	struct times times;
	unsigned long flags;

	raw_spin_lock_irqsave(&g->plock, flags);
	timer = find_locked(g, kind, file ? NULL : task_tgid(current), id, file);
	if (timer)
		show_locked(g, timer, &times);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	if (!timer)
		return false;
	chess_arch_syscall_answer(regs, 0);
	put_times(t, chess_arch_syscall_arg(regs, 1), false, &times);
	return true;
}

static bool answer_overrun(struct chess_task *t, struct pt_regs *regs)
{
	struct chess_group *g = t->group;
	struct chess_timer *timer;
	unsigned long flags;
	u64 overrun = 0;

	raw_spin_lock_irqsave(&g->plock, flags);
	timer = find_locked(g, TIMER_POSIX, task_tgid(current), chess_arch_syscall_arg(regs, 0),
			    NULL);
	if (timer)
		overrun = min_t(u64, timer->overrun, INT_MAX);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	if (!timer)
		return false;
	chess_arch_syscall_answer(regs, overrun);
	return true;
}

/* What stood there; its references are the caller's, to be put without plock. */
static struct chess_timer take_out_locked(struct chess_group *g, struct chess_timer *timer)
{
	struct chess_timer old;

	arm_locked(g, timer, false);
	old = *timer;
	*timer = (struct chess_timer) { .kind = TIMER_FREE };
	return old;
}

static void put_refs(const struct chess_timer *timer)
{
	put_pid(timer->process);
	put_pid(timer->thread);
	if (timer->file)
		fput(timer->file);
}

/* Drops the timers of a kind and a process, or all of them. */
static void drop(struct chess_group *g, int kind, const struct pid *process)
{
	struct chess_timer old;
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < CHESS_MAX_TIMERS; i++) {
		struct chess_timer *timer = &g->timers[i];

		old.kind = TIMER_FREE;
		raw_spin_lock_irqsave(&g->plock, flags);
		if (timer->kind != TIMER_FREE && (!process || timer->process == process) &&
		    (!kind || timer->kind == kind))
			old = take_out_locked(g, timer);
		raw_spin_unlock_irqrestore(&g->plock, flags);
		if (old.kind != TIMER_FREE)
			put_refs(&old);
	}
}

/* The kernel's own timer goes with it: the call is made. */
static void forget(struct chess_task *t, int id)
{
	struct chess_timer *timer, old = { .kind = TIMER_FREE };
	struct chess_group *g = t->group;
	unsigned long flags;

	raw_spin_lock_irqsave(&g->plock, flags);
	timer = find_locked(g, TIMER_POSIX, task_tgid(current), id, NULL);
	if (timer)
		old = take_out_locked(g, timer);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	put_refs(&old);
}

/**
 * chess_timer_drain() - have a timerfd forget expirations from before it was set
 * @t: the task, which is current
 *
 * The kernel's own timerfd_settime() would, but it is not executed.
 *
 * Context: task work.
 */
void chess_timer_drain(struct chess_task *t)
{
	struct file *file = t->drain;
	u64 ticks;

	if (!file)
		return;
	t->drain = NULL;
	/* Else the read would wait for one. */
	if (vfs_poll(file, NULL) & EPOLLIN)
		kernel_read(file, &ticks, sizeof(ticks), NULL);
	fput(file);
}

static bool answer_file(struct chess_task *t, struct pt_regs *regs, bool set)
{
	struct file *file = fget(chess_arch_syscall_arg(regs, 0));
	bool done;

	if (!file)
		return false;
	done = set ? answer_set(t, regs, TIMER_FILE, file) : answer_get(t, regs, TIMER_FILE, file);
	if (done && set && !t->drain) {
		t->drain = file;
		chess_work_queue(&t->chore, current, TWA_RESUME);
	} else {
		fput(file);
	}
	return done;
}

/**
 * chess_timer_answer() - answer a call about a timer
 * @t: the task, which is current and holds the token
 * @regs: its user registers
 * @nr: number of the call
 *
 * What is invalid, and what is about a timer of the machine's, is left to the
 * kernel.
 *
 * Context: probe (sys_enter), virtual time.
 * Return: whether the call was one, and is answered.
 */
bool chess_timer_answer(struct chess_task *t, struct pt_regs *regs, long nr)
{
	switch (nr) {
	case __NR_alarm:
		return answer_alarm(t, regs);
	case __NR_setitimer:
		return answer_setitimer(t, regs);
	case __NR_getitimer:
		return answer_getitimer(t, regs);
	case __NR_timer_settime:
		return answer_set(t, regs, TIMER_POSIX, NULL);
	case __NR_timer_gettime:
		return answer_get(t, regs, TIMER_POSIX, NULL);
	case __NR_timer_getoverrun:
		return answer_overrun(t, regs);
	case __NR_timer_delete:
		forget(t, chess_arch_syscall_arg(regs, 0));
		return false;
	case __NR_timerfd_settime:
		return answer_file(t, regs, true);
	case __NR_timerfd_gettime:
		return answer_file(t, regs, false);
	default:
		return false;
	}
}

static bool read_event(struct chess_timer *timer, const struct pt_regs *regs)
{
	unsigned long from = chess_arch_syscall_arg(regs, 1);
	struct sigevent event;

	if (copy_from_user_nofault(&timer->id, (void __user *)chess_arch_syscall_arg(regs, 2),
				   sizeof(timer->id)))
		return false;
	timer->signo = SIGALRM;
	timer->notify = SIGEV_SIGNAL;
	timer->value.sival_int = timer->id;
	if (!from)
		return true;
	if (copy_from_user_nofault(&event, (void __user *)from, sizeof(event)))
		return false;
	timer->signo = event.sigev_signo;
	timer->notify = event.sigev_notify;
	timer->value = event.sigev_value;
	if (event.sigev_notify & SIGEV_THREAD_ID) {
		rcu_read_lock();
		timer->thread = get_pid(find_vpid(event.sigev_notify_thread_id));
		rcu_read_unlock();
	}
	return true;
}

/**
 * chess_timer_created() - a timer was made
 * @t: the task, which is current
 * @regs: its user registers
 * @nr: number of the call
 * @ret: its result
 *
 * Context: probe (sys_exit), virtual time.
 */
void chess_timer_created(struct chess_task *t, const struct pt_regs *regs, long nr, long ret)
{
	struct chess_timer timer = { .owner = t->id, .clock = chess_arch_syscall_arg(regs, 0) };
	struct chess_group *g = t->group;
	unsigned long flags;
	bool added;
	u64 ns;

	if (ret < 0 || !chess_clock_instant(g, timer.clock, 0, &ns))
		return;
	if (nr == __NR_timerfd_create) {
		/* Without the kernel's function they cannot go off. */
		if (!chess_compat_timerfd_works())
			return;
		timer.kind = TIMER_FILE;
		timer.file = fget(ret);
		if (!timer.file)
			return;
	} else {
		timer.kind = TIMER_POSIX;
		if (!read_event(&timer, regs))
			return;
		timer.process = get_pid(task_tgid(current));
	}
	raw_spin_lock_irqsave(&g->plock, flags);
	added = add_locked(g, &timer);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	if (!added)
		put_refs(&timer);
}

/**
 * chess_timer_add_ring() - take a time-out request of io_uring over
 * @t: whose request it is
 * @ring: its timer
 * @value: nanoseconds of @clock
 * @clock: CLOCK_MONOTONIC, or what else io_uring takes
 * @absolute: @value is an instant, else a length
 *
 * Context: any; not under plock.
 * Return: false when it has to stay the kernel's.
 */
bool chess_timer_add_ring(struct chess_task *t, struct hrtimer *ring, s64 value, int clock,
			  bool absolute)
{
	const struct chess_timer new = { .kind = TIMER_RING, .owner = t->id, .ring = ring };
	struct chess_group *g = t->group;
	struct chess_timer *timer = NULL;
	unsigned long flags;
	u64 instant;

	raw_spin_lock_irqsave(&g->plock, flags);
	instant = g->now + max(value, 0LL);
	if (!absolute || chess_clock_instant(g, clock, value, &instant))
		timer = add_locked(g, &new);
	if (timer) {
		timer->deadline = instant;
		arm_locked(g, timer, true);
	}
	raw_spin_unlock_irqrestore(&g->plock, flags);
	return timer;
}

/**
 * chess_timer_drop_ring() - it is the kernel's again, or gone
 * @g: the group
 * @ring: what was added
 *
 * Context: any; not under plock.
 * Return: nanoseconds it had left.
 */
u64 chess_timer_drop_ring(struct chess_group *g, const struct hrtimer *ring)
{
	unsigned long flags;
	unsigned int i;
	u64 left = 0;

	raw_spin_lock_irqsave(&g->plock, flags);
	for (i = 0; i < CHESS_MAX_TIMERS; i++)
		if (g->timers[i].kind == TIMER_RING && g->timers[i].ring == ring) {
			if (g->timers[i].deadline > g->now)
				left = g->timers[i].deadline - g->now;
			take_out_locked(g, &g->timers[i]);
		}
	raw_spin_unlock_irqrestore(&g->plock, flags);
	return left;
}

/**
 * chess_timer_executed() - a process has a new program: its POSIX timers are gone
 * @t: the task, which is current
 *
 * Context: probe (sched_process_exec).
 */
void chess_timer_executed(struct chess_task *t)
{
	drop(t->group, TIMER_POSIX, task_tgid(current));
}

/**
 * chess_timer_is_due_locked() - must timers go off before a decision is taken
 * @g: the group
 * @stuck: nobody can go on, or nobody but a task that says it cannot
 * @first: earliest deadline of a wait, or U64_MAX
 *
 * Those that must are marked, and the clock moved to the deadline of the first.
 *
 * Context: any, group->plock held.
 * Return: whether chess_timer_fire() must be called.
 */
bool chess_timer_is_due_locked(struct chess_group *g, bool stuck, u64 first)
{
	u64 next = U64_MAX;
	unsigned int i;

	for (i = 0; i < CHESS_MAX_TIMERS; i++)
		if (g->timers[i].armed)
			next = min(next, g->timers[i].deadline);
	if (next == U64_MAX || (next > g->now && (!stuck || next > first)))
		return false;
	g->now = max(g->now, next);
	for (i = 0; i < CHESS_MAX_TIMERS; i++)
		if (g->timers[i].armed && g->timers[i].deadline <= next)
			g->timers[i].due = true;
	return true;
}

/* What is left to do once plock is dropped; how often it has to be done. */
static u64 expire_locked(struct chess_group *g, struct chess_timer *timer)
{
	u64 times = 1;

	timer->due = false;
	if (timer->interval) {
		times += div64_u64(g->now - timer->deadline, timer->interval);
		timer->deadline += times * timer->interval;
		timer->overrun = times - 1;
	} else {
		arm_locked(g, timer, false);
	}
	chess_record_push_locked(g, &(struct chess_event) {
		.type = CHESS_EVENT_TIMER,
		.object_kind = CHESS_OBJECT_TIME,
		.task = timer->owner,
		.chosen = CHESS_TASK_NONE,
		.object = g->now,
	});
	return times;
}

static void send_posix(const struct chess_timer *timer)
{
	struct kernel_siginfo info;
	struct task_struct *task;

	if (timer->notify == SIGEV_NONE)
		return;
	clear_siginfo(&info);
	info.si_signo = timer->signo;
	info.si_code = SI_TIMER;
	info.si_tid = timer->id;
	info.si_overrun = min_t(u64, timer->overrun, INT_MAX);
	info.si_value = timer->value;
	rcu_read_lock();
	if (timer->thread)
		task = pid_task(timer->thread, PIDTYPE_PID);
	else
		task = pid_task(timer->process, PIDTYPE_TGID);
	if (task)
		chess_compat_send_signal(&info, task,
					 timer->thread ? PIDTYPE_PID : PIDTYPE_TGID);
	rcu_read_unlock();
}

/**
 * chess_timer_fire() - let due timers go off, in the order they were made
 * @g: the group
 *
 * Tasks that wake by it are enabled there and then: chess_point_woken().
 *
 * Context: irq work.
 */
void chess_timer_fire(struct chess_group *g)
{
	unsigned long flags;
	unsigned int i;
	u64 times;

	for (i = 0; i < CHESS_MAX_TIMERS; i++) {
		struct chess_timer timer = { .kind = TIMER_FREE };

		raw_spin_lock_irqsave(&g->plock, flags);
		if (g->timers[i].due) {
			times = expire_locked(g, &g->timers[i]);
			timer = g->timers[i];
			get_pid(timer.process);
			get_pid(timer.thread);
			if (timer.file)
				get_file(timer.file);
		}
		raw_spin_unlock_irqrestore(&g->plock, flags);
		switch (timer.kind) {
		case TIMER_ITIMER:
			kill_pid(timer.process, SIGALRM, 1);
			break;
		case TIMER_POSIX:
			send_posix(&timer);
			break;
		case TIMER_FILE:
			/* Each adds one to what a read returns. */
			for (times = min_t(u64, times, 4096); times--;)
				chess_compat_timerfd_expire(timer.file);
			break;
		case TIMER_RING:
			chess_uring_expire(g, timer.ring);
			break;
		}
		put_refs(&timer);
	}
}

/**
 * chess_timer_clear() - drop all timers
 * @g: a group without a run
 *
 * Context: process.
 */
void chess_timer_clear(struct chess_group *g)
{
	chess_uring_give_back(g);
	drop(g, 0, NULL);
}

/**
 * chess_timer_init_group() - allocate the timers of a group
 * @g: the group
 *
 * Context: netlink.
 * Return: 0 or -ENOMEM.
 */
int chess_timer_init_group(struct chess_group *g)
{
	g->timers = kvcalloc(CHESS_MAX_TIMERS, sizeof(*g->timers), GFP_KERNEL_ACCOUNT);
	return g->timers ? 0 : -ENOMEM;
}

/**
 * chess_timer_free_group() - free them
 * @g: a group nobody uses any more
 *
 * Context: process.
 */
void chess_timer_free_group(struct chess_group *g)
{
	if (g->timers)
		chess_timer_clear(g);
	kvfree(g->timers);
}
