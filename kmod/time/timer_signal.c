// SPDX-License-Identifier: GPL-2.0-only
/*
 * The signals of timers that go off, for timer.c: to whom they go, and what a timer does whose
 * last signal is still pending.
 */
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>

#include "chess.h"
#include "compat.h"
#include "task.h"
#include "timer_table.h"

/*
 * Under RCU. A process whose tasks have left control, or were never under it, is none of
 * the group's business: it may be another user's by now.
 */
static bool is_controlled(const struct chess_group *g, struct pid *process)
{
	struct task_struct *leader = pid_task(process, PIDTYPE_TGID), *task;
	const struct chess_task *t;

	if (!leader)
		return false;
	for_each_thread(leader, task) {
		t = chess_task_find(task);
		if (t && t->group == g && !READ_ONCE(t->apart))
			return true;
	}
	return false;
}

/* As the kernel does it, who uses the time gets the signal, if it is in the process. */
static struct task_struct *running_of(const struct chess_group *g, struct task_struct *leader)
{
	const struct chess_task *t = READ_ONCE(g->token);

	if (!t && g->deferral.waits)
		t = g->by_id[g->deferral.event.task];
	return t && same_thread_group(t->task, leader) ? t->task : leader;
}

/**
 * chess_timer_send_alarm() - a timer of setitimer() or alarm() goes off
 * @g: the group
 * @timer: the timer, with references
 *
 * Context: irq work.
 */
void chess_timer_send_alarm(const struct chess_group *g, const struct chess_timer *timer)
{
	struct task_struct *leader;
	struct kernel_siginfo info;

	clear_siginfo(&info);
	info.si_signo = timer->signo;
	info.si_code = SI_KERNEL;
	rcu_read_lock();
	leader = pid_task(timer->process, PIDTYPE_TGID);
	if (leader && is_controlled(g, timer->process))
		chess_compat_send_signal(&info, timer->cpu ? running_of(g, leader) : leader,
					 PIDTYPE_TGID);
	rcu_read_unlock();
}

static struct sigpending *pending_of(struct task_struct *task, const struct chess_timer *timer)
{
	return timer->thread ? &task->pending : &task->signal->shared_pending;
}

/*
 * The signal of its last time is still to be taken: a timer sends no second one, and that one
 * says what it missed. Under RCU.
 */
static bool overran(struct task_struct *task, const struct chess_timer *timer, u64 times,
		    u64 *overrun)
{
	struct sighand_struct *sighand;
	struct sigpending *pending;
	struct sigqueue *q;
	bool found = false;
	unsigned long flags;

	/* As lock_task_sighand(), which is not exported. */
	sighand = rcu_dereference(task->sighand);
	if (!sighand)
		return false;
	spin_lock_irqsave(&sighand->siglock, flags);
	if (rcu_access_pointer(task->sighand) != sighand)
		goto out;
	pending = pending_of(task, timer);
	list_for_each_entry(q, &pending->list, list)
		if (q->info.si_code == SI_TIMER && q->info.si_signo == timer->signo &&
		    q->info.si_tid == timer->id) {
			*overrun = min_t(u64, q->info.si_overrun + times, INT_MAX);
			q->info.si_overrun = *overrun;
			found = true;
			break;
		}
	/* As with the kernel's timers, that of another sender does not stand for it. */
	if (!found)
		sigdelset(&pending->signal, timer->signo);
out:
	spin_unlock_irqrestore(&sighand->siglock, flags);
	return found;
}

/* That of another sender is still to be taken, even if the timer's is ignored. */
static void keep_pending(struct task_struct *task, const struct chess_timer *timer)
{
	struct sighand_struct *sighand;
	struct sigpending *pending;
	struct sigqueue *q;
	unsigned long flags;

	sighand = rcu_dereference(task->sighand);
	if (!sighand)
		return;
	spin_lock_irqsave(&sighand->siglock, flags);
	if (rcu_access_pointer(task->sighand) != sighand)
		goto out;
	pending = pending_of(task, timer);
	list_for_each_entry(q, &pending->list, list)
		if (q->info.si_signo == timer->signo)
			sigaddset(&pending->signal, timer->signo);
out:
	spin_unlock_irqrestore(&sighand->siglock, flags);
}

/**
 * chess_timer_send() - a timer of timer_create() goes off
 * @g: the group
 * @timer: the timer, with references
 * @times: how often it does at once
 *
 * Context: irq work.
 * Return: what it overran by, which timer_getoverrun() returns.
 */
u64 chess_timer_send(const struct chess_group *g, const struct chess_timer *timer, u64 times)
{
	enum pid_type type = timer->thread ? PIDTYPE_PID : PIDTYPE_TGID;
	struct task_struct *task, *leader;
	u64 overrun = timer->overrun;
	struct kernel_siginfo info;

	if (!chess_timer_sends_signal(timer))
		return overrun;
	clear_siginfo(&info);
	info.si_signo = timer->signo;
	info.si_code = SI_TIMER;
	info.si_tid = timer->id;
	info.si_overrun = min_t(u64, timer->overrun, INT_MAX);
	info.si_value = timer->value;
	rcu_read_lock();
	leader = pid_task(timer->process, PIDTYPE_TGID);
	task = timer->thread ? pid_task(timer->thread, PIDTYPE_PID) : leader;
	if (timer->cpu && !timer->thread && leader)
		task = running_of(g, leader);
	if (task && leader && same_thread_group(task, leader) &&
	    is_controlled(g, timer->process) && !overran(task, timer, times, &overrun)) {
		chess_compat_send_signal(&info, task, type);
		keep_pending(task, timer);
	}
	rcu_read_unlock();
	return overrun;
}
