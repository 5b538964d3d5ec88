// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls about timers, answered from the table of timer.c. What is invalid, and what is about
 * a timer of the machine's, is left to the kernel.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/nospec.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/time64.h>
#include <linux/timerfd.h>
#include <linux/uaccess.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "chess.h"
#include "clock.h"
#include "compat.h"
#include "late.h"
#include "settle.h"
#include "task.h"
#include "timer_table.h"
#include "user.h"

/* Times as they are given and shown: two values, interval and time to go. */
struct times {
	u64 interval;
	u64 value;
};

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
	__must_hold(&g->plock)
{
	u64 now = chess_timer_read_locked(g, timer);

	lockdep_assert_held(&g->plock);
	times->interval = timer->interval;
	/* Not yet gone off although it should have: the least there is. */
	times->value = !timer->armed ? 0 : timer->deadline > now ? timer->deadline - now : 1;
}

/* Returns false for a clock the group does not answer for. */
static bool set_locked(const struct chess_task *t, struct chess_timer *timer,
		       const struct times *times, bool absolute)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;
	u64 instant = chess_clock_later(g, times->value);

	lockdep_assert_held(&g->plock);
	if (timer->cpu)
		instant = times->value + (absolute ? 0 : chess_timer_read_locked(g, timer));
	else if (absolute && !chess_clock_own_instant(g, timer->clock, times->value, &instant))
		return false;
	timer->deadline = instant;
	timer->interval = times->interval;
	timer->overrun = 0;
	timer->guards = false;
	timer->late = false;
	timer->far = !timer->cpu && instant >= chess_clock_later(g, NSEC_PER_SEC);
	timer->held = timer->cpu ? CHESS_LATE_NOT : chess_late_why_locked(t, instant);
	chess_timer_arm_locked(g, timer, times->value != 0);
	if (timer->armed && timer->held)
		chess_settle_guards_locked(g, t->id, instant);
	return true;
}

static const struct {
	int signo;
	u8 cpu;
} itimers[] = {
	[ITIMER_REAL] = { SIGALRM, CHESS_CPU_NONE },
	[ITIMER_VIRTUAL] = { SIGVTALRM, CHESS_CPU_PROCESS_USER },
	[ITIMER_PROF] = { SIGPROF, CHESS_CPU_PROCESS },
};

/* False for what the kernel refuses, and where there is no account of processor time. */
static bool is_itimer(const struct chess_task *t, unsigned long which)
{
	if (which >= ARRAY_SIZE(itimers))
		return false;
	return t->cputime.account || !itimers[array_index_nospec(which, ARRAY_SIZE(itimers))].cpu;
}

/* Both ways to set a timer of a process; what stood there before in @old. */
static bool set_itimer(struct chess_task *t, unsigned int which, const struct times *times,
		       struct times *old)
{
	struct chess_timer new = {
		.kind = TIMER_ITIMER, .clock = CLOCK_MONOTONIC, .signo = itimers[which].signo,
		.id = which, .cpu = itimers[which].cpu, .of = t->id, .owner = t->id,
		.process = task_tgid(current),
	};
	struct chess_group *g = t->group;
	struct chess_timer *timer;
	unsigned long flags;

	*old = (struct times) { 0 };
	chess_timer_drop_ended(g);
	raw_spin_lock_irqsave(&g->plock, flags);
	timer = chess_timer_find_locked(g, TIMER_ITIMER, new.process, which, NULL);
	if (timer) {
		show_locked(g, timer, old);
	} else {
		timer = chess_timer_add_locked(g, &new);
		if (timer)
			get_pid(new.process);
	}
	if (timer && timer->cpu)
		timer->of = t->id;
	if (timer)
		set_locked(t, timer, times, false);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	return timer;
}

static bool answer_alarm(struct chess_task *t, struct pt_regs *regs)
{
	struct times times = { .value = (u64)(u32)chess_arch_syscall_arg(regs, 0) * NSEC_PER_SEC };
	struct times old;
	u64 seconds;

	if (!set_itimer(t, ITIMER_REAL, &times, &old))
		return false;
	/* Rounded as alarm() does, but never to zero while one was set. */
	seconds = (old.value + NSEC_PER_SEC / 2) / NSEC_PER_SEC;
	chess_arch_syscall_answer(regs, old.value ? max(seconds, 1ULL) : 0);
	return true;
}

static bool answer_setitimer(struct chess_task *t, struct pt_regs *regs)
{
	unsigned long new = chess_arch_syscall_arg(regs, 1), to = chess_arch_syscall_arg(regs, 2);
	unsigned long which = chess_arch_syscall_arg(regs, 0);
	struct times times = { 0 }, old;

	if (!is_itimer(t, which) || (new && !read_times(new, true, &times)) ||
	    !set_itimer(t, array_index_nospec(which, ARRAY_SIZE(itimers)), &times, &old))
		return false;
	chess_arch_syscall_answer(regs, 0);
	if (to)
		put_times(t, to, true, &old);
	return true;
}

static bool answer_getitimer(struct chess_task *t, struct pt_regs *regs)
{
	unsigned long which = chess_arch_syscall_arg(regs, 0);
	struct chess_group *g = t->group;
	struct chess_timer *timer;
	struct times times = { 0 };
	unsigned long flags;

	if (!is_itimer(t, which))
		return false;
	raw_spin_lock_irqsave(&g->plock, flags);
	timer = chess_timer_find_locked(g, TIMER_ITIMER, task_tgid(current), which, NULL);
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
	timer = chess_timer_find_locked(g, kind, file ? NULL : task_tgid(current), id, file);
	if (timer) {
		show_locked(g, timer, &old);
		done = set_locked(t, timer, &times, how & TIMER_ABSTIME);
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
	timer = chess_timer_find_locked(g, kind, file ? NULL : task_tgid(current), id, file);
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
	timer = chess_timer_find_locked(g, TIMER_POSIX, task_tgid(current),
					chess_arch_syscall_arg(regs, 0), NULL);
	if (timer)
		overrun = min_t(u64, timer->overrun, INT_MAX);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	if (!timer)
		return false;
	chess_arch_syscall_answer(regs, overrun);
	return true;
}

/* The kernel's own timer goes with it: the call is made. */
static void forget(struct chess_task *t, int id)
{
	struct chess_timer *timer, old = { .kind = TIMER_FREE };
	struct chess_group *g = t->group;
	unsigned long flags;

	raw_spin_lock_irqsave(&g->plock, flags);
	timer = chess_timer_find_locked(g, TIMER_POSIX, task_tgid(current), id, NULL);
	if (timer)
		old = chess_timer_take_out_locked(g, timer);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	chess_timer_put_refs(&old);
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
	struct file *file = t->timer_call.drain;

	if (!file)
		return;
	t->timer_call.drain = NULL;
	chess_compat_timerfd_forget(file);
	fput(file);
}

static bool answer_file(struct chess_task *t, struct pt_regs *regs, bool set)
{
	struct file *file = fget(chess_arch_syscall_arg(regs, 0));
	bool done;

	if (!file)
		return false;
	done = set ? answer_set(t, regs, TIMER_FILE, file) : answer_get(t, regs, TIMER_FILE, file);
	if (done && set && !t->timer_call.drain) {
		t->timer_call.drain = file;
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
	t->timer_call.creates = 0;
	switch (nr) {
	case __NR_timer_create:
	case __NR_timerfd_create:
		t->timer_call.creates = nr;
		return false;
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

/* Nobody can have it in the table already: a number may come again for another timer. */
static void add(struct chess_group *g, const struct chess_timer *timer)
{
	struct chess_timer *same, old = { .kind = TIMER_FREE };
	unsigned long flags;
	bool added;

	chess_timer_drop_ended(g);
	raw_spin_lock_irqsave(&g->plock, flags);
	same = chess_timer_find_locked(g, timer->kind, timer->process, timer->id, timer->file);
	if (same)
		old = chess_timer_take_out_locked(g, same);
	added = chess_timer_add_locked(g, timer);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	chess_timer_put_refs(&old);
	if (!added)
		chess_timer_put_refs(timer);
}

/* Whatever the descriptor stands for by now. */
static void add_file(struct chess_task *t, struct chess_timer *timer)
{
	timer->kind = TIMER_FILE;
	timer->file = fget(t->timer_call.made.result);
	if (!timer->file)
		return;
	if (chess_compat_is_timerfd(timer->file))
		add(t->group, timer);
	else
		fput(timer->file);
}

/* What the kernel accepted, not what the program's memory says by now. */
static void add_posix(struct chess_task *t, struct chess_timer *timer)
{
	struct chess_posix_timer posix;

	if (get_user(timer->id, (int __user *)t->timer_call.made.id_at) ||
	    !chess_compat_posix_timer(timer->id, &posix))
		return;
	if (!timer->cpu && posix.clock != timer->clock) {
		put_pid(posix.pid);
		return;
	}
	timer->kind = TIMER_POSIX;
	timer->notify = posix.notify;
	timer->signo = posix.signo;
	timer->value = posix.value;
	timer->process = get_pid(task_tgid(current));
	if (posix.notify & SIGEV_THREAD_ID)
		timer->thread = posix.pid;
	else
		put_pid(posix.pid);
	add(t->group, timer);
}

/**
 * chess_timer_take_over() - take over the timer the task has just made, if it has
 * @t: the task, which is current
 *
 * Context: task work, before the program sees the result.
 */
void chess_timer_take_over(struct chess_task *t)
{
	struct chess_timer timer = {
		.owner = t->id, .clock = t->timer_call.made.clock, .cpu = t->timer_call.made.cpu,
		.of = t->timer_call.made.of,
	};
	long nr = t->timer_call.made.nr;

	t->timer_call.made.nr = 0;
	if (!nr || READ_ONCE(t->group->state) != CHESS_GROUP_STATE_RUNNING)
		return;
	if (nr == __NR_timerfd_create)
		add_file(t, &timer);
	else
		add_posix(t, &timer);
}

/**
 * chess_timer_created() - a call that makes timers ends
 * @t: the task, which is current
 * @regs: its user registers
 * @nr: number of the call
 * @ret: its result
 *
 * A filter (seccomp) or a debugger may end a call that was never executed, with a result
 * of its own. Then sys_enter was not seen.
 *
 * Context: probe (sys_exit), virtual time.
 */
void chess_timer_created(struct chess_task *t, const struct pt_regs *regs, long nr, long ret)
{
	bool executed = t->timer_call.creates == nr, is_cpu;
	struct chess_cpu_clock cpu;
	u64 ns;

	t->timer_call.creates = 0;
	t->timer_call.made = (struct chess_made) {
		.nr = nr, .result = ret, .clock = chess_arch_syscall_arg(regs, 0),
		.id_at = chess_arch_syscall_arg(regs, 2),
	};
	rcu_read_lock();
	/* Of another process: the machine's. */
	is_cpu = nr == __NR_timer_create &&
		 chess_cputime_clock(t, t->timer_call.made.clock, &cpu) &&
		 cpu.task->cputime.account == t->cputime.account;
	if (is_cpu) {
		t->timer_call.made.cpu = cpu.kind;
		t->timer_call.made.of = cpu.task->id;
	}
	rcu_read_unlock();
	if (!executed || ret < 0 ||
	    (!is_cpu && !chess_clock_instant(t->group, t->timer_call.made.clock, 0, &ns))) {
		t->timer_call.made.nr = 0;
		return;
	}
	chess_work_queue(&t->chore, current, TWA_RESUME);
}
