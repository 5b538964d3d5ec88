// SPDX-License-Identifier: GPL-2.0-only
/*
 * One slow timer per running group, on the group's processor. It looks after
 *  - a holder that runs on without reaching a point (quantum): a spin loop. What
 *    counts is ticks that find it in user mode, and only while another task is
 *    enabled. Time and the scheduler's CPU time also grow while the host has taken
 *    the processor away; with CPU time records were seen to differ on a loaded
 *    debug kernel, and not since, though which event differed was not caught;
 *  - a holder that sleeps in the kernel's own business (stall), which can
 *    starve, for example two readers of one /proc/kmsg descriptor. It counts
 *    only while the holder really sleeps, not for I/O, and its processor is idle:
 *    a clock alone fires falsely on a loaded host (1 of 200 runs), and a slow
 *    disk or network file system under the program is no reason either;
 *  - a deferred decision whose wait is bounded (point.c).
 * It also wakes the holder again, which costs nothing and makes a lost wake-up
 * a delay instead of a hang.
 */
#include <linux/sched/idle.h>
#include <linux/sched/signal.h>
#include <asm/irq_regs.h>

#include "gate.h"
#include "point.h"
#include "watchdog.h"

/*
 * Half a second. With 50 ms one run of 100 differed once in a VM on a loaded host;
 * a page that came late over 9p is the suspected cause, which was not traced.
 */
#define CHESS_STALL_TICKS	50

static bool found_in_user_mode(const struct chess_task *t)
{
	struct pt_regs *regs = get_irq_regs();

	return current == t->task && regs && user_mode(regs);
}

static void check_holder_locked(struct chess_group *g, struct chess_task *t)
{
	if (g->tick_decisions != g->decisions) {
		g->tick_decisions = g->decisions;
		g->tick_user = 0;
		g->tick_idle = 0;
	}
	if (t->kept && !t->task->in_iowait &&
	    READ_ONCE(t->task->__state) != TASK_RUNNING && is_idle_task(current)) {
		if (++g->tick_idle >= CHESS_STALL_TICKS)
			chess_point_stall_locked(g, t);
		return;
	}
	g->tick_idle = 0;
	if (!found_in_user_mode(t) || (g->enabled.count < 2 && !g->nlatched))
		return;
	if (++g->tick_user * CHESS_TICK_MS * USEC_PER_MSEC < g->quantum_us)
		return;
	g->tick_user = 0;
	chess_gate_quantum(t);
}

static enum hrtimer_restart tick(struct hrtimer *timer)
{
	struct chess_group *g = container_of(timer, struct chess_group, timer);
	bool more;

	raw_spin_lock(&g->plock);
	more = g->state == CHESS_GROUP_STATE_RUNNING;
	if (more) {
		if (g->deferred) {
			g->deferred_ticks++;
			chess_point_settle_locked(g);
		}
		if (g->token)
			check_holder_locked(g, g->token);
	}
	if (g->token || g->notices || g->dead_tasks)
		irq_work_queue(&g->irq_work);
	raw_spin_unlock(&g->plock);
	if (!more)
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ms_to_ktime(CHESS_TICK_MS));
	return HRTIMER_RESTART;
}

/**
 * chess_watchdog_init() - prepare the timer of a new group
 * @g: the group
 *
 * Context: process.
 */
void chess_watchdog_init(struct chess_group *g)
{
	hrtimer_init(&g->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	g->timer.function = tick;
}

/**
 * chess_watchdog_start() - a run begins; call it on the group's processor
 * @g: the group
 *
 * The timer ends by itself with the run.
 *
 * Context: any.
 */
void chess_watchdog_start(struct chess_group *g)
{
	g->tick_decisions = 0;
	g->tick_user = 0;
	g->tick_idle = 0;
	hrtimer_start(&g->timer, ms_to_ktime(CHESS_TICK_MS), HRTIMER_MODE_REL_PINNED_HARD);
}

/**
 * chess_watchdog_stop() - the group is going away
 * @g: the group
 *
 * Context: process.
 */
void chess_watchdog_stop(struct chess_group *g)
{
	hrtimer_cancel(&g->timer);
}
