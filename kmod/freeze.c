// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks whose control group is frozen, or that are on a machine that is suspended. The kernel
 * wakes them for it, from what they wait in, and lets them return to it; none of that may show
 * in a record.
 */
#include <linux/freezer.h>
#include <linux/hrtimer.h>
#include <linux/sched/jobctl.h>
#include <linux/sched/signal.h>

#include "chess.h"
#include "compat.h"
#include "freeze.h"
#include "gate.h"
#include "point.h"
#include "probe.h"
#include "task.h"

/* How long the holder waits for others that were frozen with it. */
#define CHESS_FREEZE_BACK	HZ

/**
 * chess_freeze_is_due() - has current to be frozen where it parks or waits?
 * @t: its task
 *
 * Not where something interrupts it: a debugger, or a work such as the end of control or of a
 * timed wait.
 *
 * Context: any, in the task itself.
 */
bool chess_freeze_is_due(const struct chess_task *t)
{
	return chess_compat_is_freezing(current) && !chess_gate_must_leave(t) &&
	       !test_thread_flag(TIF_NOTIFY_SIGNAL) &&
	       READ_ONCE(t->group->state) == CHESS_GROUP_STATE_RUNNING;
}

/* As do_freezer_trap(): else nobody could sleep. Returns whether it has to. */
static bool forget_signals(const struct chess_task *t)
{
	bool freezes;

	spin_lock_irq(chess_compat_siglock());
	freezes = chess_freeze_is_due(t);
	if (freezes)
		clear_thread_flag(TIF_SIGPENDING);
	spin_unlock_irq(chess_compat_siglock());
	return freezes;
}

/*
 * Not schedule_timeout(): its timer goes off in a softirq, on top of whoever runs, and a task
 * of the group that runs would seem to wake this one.
 */
static void pause_frozen(void)
{
	ktime_t pause = ms_to_ktime(1);

	set_current_state(TASK_UNINTERRUPTIBLE | TASK_NOLOAD);
	schedule_hrtimeout(&pause, HRTIMER_MODE_REL_HARD);
}

/**
 * chess_freeze_let_others_back() - let others return to what they waited in
 * @t: the holder of the token, current, which was frozen
 *
 * Others, woken from their waits to be frozen, have to be back in them before something of
 * the holder's can end these waits. Some may stay frozen, in another control group: they are
 * not waited for for long.
 *
 * Context: process, may sleep.
 */
void chess_freeze_let_others_back(struct chess_task *t)
{
	unsigned long end = jiffies + CHESS_FREEZE_BACK;

	WRITE_ONCE(t->gate.frozen, true);
	while (READ_ONCE(t->group->token) == t && !chess_gate_must_leave(t) &&
	       time_before(jiffies, end) && !chess_compat_is_freezing(current) &&
	       !chess_point_are_back(t->group, t, false))
		pause_frozen();
	if (!chess_compat_is_freezing(current))
		t->gate.thawed = false;
	WRITE_ONCE(t->gate.frozen, false);
}

/**
 * chess_freeze_go_back() - wait for the turn to go back into a wait
 * @t: the task, current, which was woken from a wait to be frozen
 *
 * It goes to the end of the line there, as it does for any wake-up that was not for it, so
 * those that were in front of it go first. As above, not for long.
 *
 * Context: process, may sleep.
 */
void chess_freeze_go_back(struct chess_task *t)
{
	unsigned long end = jiffies + CHESS_FREEZE_BACK;

	WRITE_ONCE(t->gate.frozen, true);
	while (!READ_ONCE(t->enabled) && !chess_gate_must_leave(t) && time_before(jiffies, end) &&
	       !chess_compat_is_freezing(current) && !chess_point_are_back(t->group, t, true))
		pause_frozen();
	WRITE_ONCE(t->gate.frozen, false);
}

/**
 * chess_freeze_stay() - sleep while the control group or the machine is frozen
 * @t: the task, current, parked or in a wait
 *
 * Others are frozen where they return to user mode; one that waits for the token, or for
 * something in the kernel, would have to leave its place for that and come back, which would
 * show. A wake-up meanwhile is noticed as usual.
 *
 * Context: process, may sleep.
 */
void chess_freeze_stay(struct chess_task *t)
{
	DECLARE_SWAITQUEUE(wait);

	WRITE_ONCE(t->gate.frozen, true);
	chess_compat_freeze_begin();
	while (chess_freeze_is_due(t)) {
		if (freezing(current)) {
			__refrigerator(false);
			continue;
		}
		prepare_to_swait_exclusive(&t->gate.wait, &wait,
					   TASK_INTERRUPTIBLE | TASK_FREEZABLE);
		if (forget_signals(t))
			schedule();
		finish_swait(&t->gate.wait, &wait);
	}
	chess_compat_freeze_end();
	spin_lock_irq(chess_compat_siglock());
	recalc_sigpending();
	spin_unlock_irq(chess_compat_siglock());
	/* It was not held back by us meanwhile. */
	WRITE_ONCE(t->gate.since, jiffies);
	WRITE_ONCE(t->gate.frozen, false);
	if (READ_ONCE(t->group->token) == t)
		chess_freeze_let_others_back(t);
}

/* Is there a signal that current does not block? */
static bool has_signal(void)
{
	const sigset_t *own = &current->pending.signal;
	const sigset_t *shared = &current->signal->shared_pending.signal;
	sigset_t any, open;

	sigorsets(&any, own, shared);
	sigandnsets(&open, &any, &current->blocked);
	return !sigisemptyset(&open);
}

/**
 * chess_freeze_is_all() - is what interrupts current a freeze alone
 * @t: its task
 *
 * The freeze may be over, and have left nothing but TIF_SIGPENDING. So does a signal that
 * another thread took, which is why there has to have been a freeze lately.
 *
 * Context: any, in the task itself.
 * Return: whether current is frozen, or was, and nothing else is there for it.
 */
bool chess_freeze_is_all(const struct chess_task *t)
{
	if (has_signal())
		return false;
	if (READ_ONCE(t->away) || chess_compat_is_freezing(current))
		return true;
	return t->gate.freezes != chess_probe_freezes() && !current->ptrace &&
	       test_thread_flag(TIF_SIGPENDING) && !test_thread_flag(TIF_NOTIFY_SIGNAL) &&
	       !(READ_ONCE(current->jobctl) & JOBCTL_PENDING_MASK);
}

/**
 * chess_freeze_woke() - was current woken to be frozen, and by none of its group?
 * @t: its task
 * @state: in which it slept
 *
 * Another process may have woken it, just before: then it does not go to sleep again after
 * this, and parks on its way out. The freeze may be over by now.
 *
 * Context: any, in the task itself.
 */
bool chess_freeze_woke(const struct chess_task *t, unsigned int state)
{
	return (state & TASK_INTERRUPTIBLE) && !READ_ONCE(t->enabled) &&
	       (chess_freeze_is_due(t) ||
		(READ_ONCE(t->away) && !test_thread_flag(TIF_NOTIFY_SIGNAL)));
}
