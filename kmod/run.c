// SPDX-License-Identifier: GPL-2.0-only
/*
 * Start and stop of the runs of a group, for netlink.c. A group that has adopted tasks also
 * lets go of them by itself, when watchdog.c or syscalls.c says so. Either way tasks leave on
 * their own, each in its own context; group.c tells the owner when the last one is gone.
 */
#include <linux/list.h>
#include <linux/netlink.h>
#include <linux/sched/signal.h>

#include "chess.h"
#include "drain.h"
#include "gate.h"
#include "point.h"
#include "probe.h"
#include "random.h"
#include "record.h"
#include "run.h"
#include "task.h"
#include "time/clock.h"
#include "time/cputime.h"
#include "time/timer.h"

/**
 * chess_run_start() - arm a run
 * @g: an idle group
 * @flags: run flags
 * @fair: which yields of a task count, see the ABI
 * @seqs: sorted numbers of events and accesses to take stack snapshots at
 * @nseqs: how many
 * @extack: where to say what is wrong
 *
 * Context: netlink, group->lock held.
 * Return: 0 or negative errno.
 */
int chess_run_start(struct chess_group *g, u32 flags, u32 fair, const u32 *seqs, u32 nseqs,
		      struct netlink_ext_ack *extack)
{
	unsigned long irqflags;
	struct pid *adopted;
	int ret;

	lockdep_assert_held(&g->lock);
	ret = chess_record_start(&g->record, seqs, nseqs);
	if (ret) {
		NL_SET_ERR_MSG(extack, "no memory for stack snapshots");
		return ret;
	}
	chess_timer_clear(g);
	chess_cputime_clear(g);
	g->adoption.gathering = false;
	g->adoption.held = false;
	g->adoption.latching = false;
	g->adoption.let_go = 0;
	g->place.uprooted = false;
	g->runs++;
	g->flags = flags;
	raw_spin_lock_irqsave(&g->plock, irqflags);
	adopted = g->adoption.process;
	g->adoption.process = NULL;
	g->kill = false;
	g->kill_sent = false;
	g->next_id = 0;
	g->last_id = 0;
	g->decisions = 0;
	g->inodes.n = 0;
	g->latches.given = 0;
	g->nwoken = 0;
	g->naway = 0;
	g->latches.n = 0;
	g->latches.points = 0;
	g->streak.points = 0;
	g->streak.parts = 0;
	g->streak.limit = flags & CHESS_RUN_FLAGS_LONG_ROWS ? CHESS_FAIR_LONG : CHESS_FAIR_PARTS;
	g->latches.task = CHESS_TASK_NONE;
	g->lost = 0;
	g->missed = chess_probe_missed();
	g->stalls = 0;
	g->deferral.waits = false;
	g->timers.firing = false;
	g->deferral.passing = CHESS_TASK_NONE;
	g->queue.places = 0;
	g->queue.waker = CHESS_TASK_NONE;
	g->token = NULL;
	chess_set_clear(&g->enabled);
	chess_set_clear(&g->timed);
	chess_set_clear(&g->spurious.tasks);
	chess_set_clear(&g->deadlines.guarding);
	g->deadlines.admitted = CHESS_TASK_NONE;
	chess_fair_init(&g->fair, fair);
	g->clock.now = CHESS_CLOCK_START;
	g->random = CHESS_RANDOM_SEED;
	g->sent = 0;
	g->keep.at = CHESS_KEEP_NONE;
	g->prefix.index = 0;
	g->prefix.used = 0;
	chess_policy_start(&g->policy);
	g->state = CHESS_GROUP_STATE_ARMED;
	raw_spin_unlock_irqrestore(&g->plock, irqflags);
	put_pid(adopted);
	return 0;
}

/**
 * chess_run_kill() - send SIGKILL to every task of a run that is being stopped so
 * @g: a group with @kill set
 *
 * The first task that leaves calls it as well as chess_run_stop(), so that no parent
 * sees its child die of this signal and goes on before it has its own. Parents come first,
 * as their numbers are lower, but where a number is used again.
 *
 * Context: process.
 */
void chess_run_kill(struct chess_group *g)
{
	struct chess_task *t;
	u32 id = 0;

	if (READ_ONCE(g->kill_sent))
		return;
	/* RCU keeps the task, and that the kernel's, while the signal is sent. */
	do {
		rcu_read_lock();
		t = chess_task_next(g, id);
		if (t) {
			id = t->id + 1;
			if (!READ_ONCE(t->out))
				send_sig(SIGKILL, t->task, 1);
		}
		rcu_read_unlock();
	} while (t);
	WRITE_ONCE(g->kill_sent, true);
}

/**
 * chess_run_let_go_locked() - an adopted group ends its run by itself
 * @g: the group
 * @reason: enum chess_let_go_reason
 *
 * From here on no gate closes; the worker wakes those who are parked.
 *
 * Context: any, group->plock held.
 */
void chess_run_let_go_locked(struct chess_group *g, u32 reason)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	if (g->state != CHESS_GROUP_STATE_RUNNING)
		return;
	g->state = CHESS_GROUP_STATE_DRAINING;
	g->token = NULL;
	g->deferral.waits = false;
	g->adoption.let_go = reason;
	g->notices.due |= BIT(CHESS_NOTICE_LET_GO);
	irq_work_queue(&g->irq_work);
}

/**
 * chess_run_stop() - stop the run and release its tasks
 * @g: the group
 * @kill: send SIGKILL to every task
 *
 * Tasks leave on their own; CHESS_NOTICE_END tells when the last one is gone.
 *
 * Context: process.
 * Return: 0, or -ENOENT when no run is armed or running.
 */
int chess_run_stop(struct chess_group *g, bool kill)
{
	struct chess_task *t, *next;
	unsigned long flags;
	int ret = 0;

	raw_spin_lock_irqsave(&g->plock, flags);
	if (g->state == CHESS_GROUP_STATE_IDLE && list_empty(&g->tasks)) {
		ret = -ENOENT;
	} else {
		if (g->state != CHESS_GROUP_STATE_IDLE)
			g->state = CHESS_GROUP_STATE_DRAINING;
		g->token = NULL;
		g->deferral.waits = false;
		g->kill |= kill;
		list_for_each_entry_safe(t, next, &g->killed, entry)
			chess_task_discard_locked(t);
		list_for_each_entry_safe(t, next, &g->tasks, entry)
			if (t->pending)
				chess_task_remove_locked(t);
		chess_point_end_locked(g);
	}
	raw_spin_unlock_irqrestore(&g->plock, flags);
	if (ret)
		return ret;
	if (kill)
		chess_run_kill(g);
	if (g->adoption.process)
		chess_drain(g);
	chess_gate_open(g);
	irq_work_queue(&g->irq_work);
	return 0;
}
