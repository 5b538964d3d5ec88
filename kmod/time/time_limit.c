// SPDX-License-Identifier: GPL-2.0-only
/*
 * Timers that limit the time of their own process: alarm() in a test that might hang. Their
 * signal would end it, and they are set for a second or more; what a program wants to happen it
 * handles, waits for or sets for less. They go off at their time as others do, but not before.
 *
 *     timer.c, chess_timer_first_early_locked() --> chess_timer_find_limits_locked()
 */
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>

#include "chess.h"
#include "settle.h"
#include "task.h"
#include "timer_table.h"

static bool sends_fatal(const struct chess_timer *timer)
{
	return (timer->kind == TIMER_ITIMER ||
		(timer->kind == TIMER_POSIX && chess_timer_sends_signal(timer))) &&
	       !sig_kernel_ignore(timer->signo) && !sig_kernel_stop(timer->signo);
}

/*
 * Under RCU. sigtimedwait() unblocks what it waits for; where it is over, the kernel puts the
 * mask back first (do_sigtimedwait()). So whoever reads in this order sees the same until then
 * and afterwards, wherever a task is on its way out.
 */
static bool would_end(struct task_struct *task, int sig)
{
	const struct sighand_struct *hand = rcu_dereference(task->sighand);
	bool waits = sigismember(&task->real_blocked, sig);

	/* Stores of the mask, then of what is emptied, are seen in that order. */
	smp_rmb();
	return !waits && !sigismember(&task->blocked, sig) && hand &&
	       READ_ONCE(hand->action[sig - 1].sa.sa_handler) == SIG_DFL;
}

/* Any of the threads that may take it. */
static bool ends_process_locked(const struct chess_group *g, const struct chess_timer *timer)
	__must_hold(&g->plock)
{
	struct task_struct *leader;
	const struct chess_task *t;
	bool ends = false;

	lockdep_assert_held(&g->plock);
	if (!sends_fatal(timer))
		return false;
	rcu_read_lock();
	leader = pid_task(timer->process, PIDTYPE_TGID);
	list_for_each_entry(t, &g->tasks, entry) {
		if (ends || !leader)
			break;
		ends = same_thread_group(t->task, leader) &&
		       (!timer->thread || task_pid(t->task) == timer->thread) &&
		       would_end(t->task, timer->signo);
	}
	rcu_read_unlock();
	return ends;
}

/**
 * chess_timer_find_limits_locked() - which timers limit the time of their process?
 * @g: the group
 *
 * In runs with late-limits. Handlers and masks change, so at each decision.
 *
 * Context: any, group->plock held.
 */
void chess_timer_find_limits_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	struct chess_timer *timer;
	unsigned int i;
	bool late;

	lockdep_assert_held(&g->plock);
	if (!(g->flags & CHESS_RUN_FLAGS_LATE_LIMITS))
		return;
	for (i = 0; g->timers.narmed && i < CHESS_MAX_TIMERS; i++) {
		timer = &g->timers.table[i];
		if (!timer->armed || !timer->far || timer->interval || timer->due)
			continue;
		late = ends_process_locked(g, timer);
		if (late && !timer->late && !timer->guards)
			chess_settle_guards_locked(g, timer->owner, timer->deadline);
		timer->late = late;
	}
}
