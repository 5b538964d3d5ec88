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
 *    disk or network file system under the program is no reason either, nor is a
 *    ring that ends (uring.c bounds that);
 *  - a deferred decision whose wait is bounded (settle.c);
 *  - the guards of an adopted group: is a task held for too long, is the owner
 *    silent, do too many tasks wait for each other?
 * It also wakes the holder again, which costs nothing and makes a lost wake-up
 * a delay instead of a hang.
 */
#include <linux/sched/idle.h>
#include <linux/sched/signal.h>
#include <asm/irq_regs.h>

#include "chess.h"
#include "compat.h"
#include "gate.h"
#include "group.h"
#include "point.h"
#include "run.h"
#include "settle.h"
#include "time/timer.h"
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

/* Quanta after which a loop is taken to wait for a timer that is not of processor time. */
#define CHESS_PATIENCE	20

/*
 * Nobody else can go on, and the holder runs on without a point, for a quantum at least and
 * as long as a timer is away: it has used that time. Time passes to the instant of the timer,
 * and not at all where none goes off, so that the clocks do not show how long it took.
 */
static void check_alone_locked(struct chess_group *g, struct chess_task *t)
{
	u64 ran, quantum = (u64)g->watchdog.quantum_us * NSEC_PER_USEC, real = 0;

	lockdep_assert_held(&g->plock);
	if (!(g->timers.narmed | g->timers.ncpu))
		return;
	ran = ++g->watchdog.spin * CHESS_TICK_MS * (u64)NSEC_PER_MSEC;
	if (ran < quantum)
		return;
	if (ran >= CHESS_PATIENCE * quantum)
		real = ran - min(ran, g->watchdog.spun);
	chess_timer_spun_locked(t, ran - min(ran, g->watchdog.spun), real);
}

static void check_holder_locked(struct chess_group *g, struct chess_task *t)
	__must_hold(&g->plock)
{
	lockdep_assert_held(&g->plock);
	if (g->watchdog.decisions != g->decisions) {
		g->watchdog.decisions = g->decisions;
		g->watchdog.user = 0;
		g->watchdog.spin = 0;
		g->watchdog.spun = 0;
		g->watchdog.idle = 0;
	}
	if (t->kept && !t->task->in_iowait && !READ_ONCE(t->ring.ticks) &&
	    READ_ONCE(t->task->__state) != TASK_RUNNING && is_idle_task(current)) {
		if (++g->watchdog.idle >= CHESS_STALL_TICKS)
			chess_point_stall_locked(g, t);
		return;
	}
	g->watchdog.idle = 0;
	if (!found_in_user_mode(t))
		return;
	if (g->enabled.count < 2 && !g->latches.n) {
		check_alone_locked(g, t);
		return;
	}
	if (++g->watchdog.user * CHESS_TICK_MS * USEC_PER_MSEC < g->watchdog.quantum_us)
		return;
	g->watchdog.user = 0;
	chess_gate_quantum(t);
}

#define CHESS_GUARD_TICKS	(MSEC_PER_SEC / CHESS_TICK_MS)

static bool is_stalled_locked(const struct chess_group *g)
	__must_hold(&g->plock)
{
	const struct chess_task *t;

	lockdep_assert_held(&g->plock);
	list_for_each_entry(t, &g->tasks, entry)
		if (READ_ONCE(t->gate.is_parked) && !READ_ONCE(t->gate.frozen) &&
		    time_after(jiffies, READ_ONCE(t->gate.since) + g->watchdog.guard.max_stall))
			return true;
	return false;
}

static bool is_frozen(const struct chess_task *t)
{
	return READ_ONCE(t->gate.frozen) ||
	       chess_compat_is_frozen(t->task, READ_ONCE(t->task->__state));
}

/* Without control each of those that could run might have had a processor. */
static bool is_slow_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	struct chess_guard *guard = &g->watchdog.guard;
	bool slow;

	lockdep_assert_held(&g->plock);
	if (!g->token || is_frozen(g->token))
		return false;
	guard->ready += g->enabled.count;
	if (++guard->ticks < CHESS_GUARD_TICKS)
		return false;
	slow = guard->ready * 100 / guard->ticks > guard->max_slowdown;
	guard->ready = 0;
	guard->ticks = 0;
	return slow;
}

static void check_guard_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	const struct chess_guard *guard = &g->watchdog.guard;

	lockdep_assert_held(&g->plock);
	if (!g->adoption.process || g->adoption.gathering)
		return;
	if (guard->heartbeat && time_after(jiffies, READ_ONCE(guard->heard) + guard->heartbeat))
		chess_run_let_go_locked(g, CHESS_LET_GO_REASON_SILENCE);
	else if (guard->max_stall && is_stalled_locked(g))
		chess_run_let_go_locked(g, CHESS_LET_GO_REASON_STALL);
	else if (guard->max_slowdown && is_slow_locked(g))
		chess_run_let_go_locked(g, CHESS_LET_GO_REASON_SLOWDOWN);
}

/* What a decision waits for may not come before they are thawed. */
static bool is_any_frozen_locked(const struct chess_group *g)
	__must_hold(&g->plock)
{
	const struct chess_task *t;

	lockdep_assert_held(&g->plock);
	list_for_each_entry(t, &g->tasks, entry)
		if (is_frozen(t))
			return true;
	return false;
}

static void move_here(void *data)
{
	struct chess_group *g = data;

	if (READ_ONCE(g->state) == CHESS_GROUP_STATE_RUNNING)
		hrtimer_start(&g->watchdog.timer, ms_to_ktime(CHESS_TICK_MS),
			      HRTIMER_MODE_REL_PINNED_HARD);
	chess_group_put(g);
}

/*
 * The kernel moves timer and tasks when the processor goes offline; an administrator moves
 * tasks by their cpuset, or taskset. From elsewhere a loop of the holder's is not seen.
 * Returns whether the timer goes there too; then it is started there.
 */
static bool follow_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	unsigned int at = g->token ? task_cpu(g->token->task) : smp_processor_id();

	lockdep_assert_held(&g->plock);
	if (!cpu_online(g->place.cpu)) {
		g->place.uprooted = true;
		WRITE_ONCE(g->place.cpu, smp_processor_id());
	}
	if (at == smp_processor_id())
		return false;
	chess_group_get(g);
	if (!smp_call_function_single_async(at, &g->watchdog.mover))
		return true;
	chess_group_put(g);
	return false;
}

static enum hrtimer_restart tick(struct hrtimer *timer)
{
	struct chess_group *g = container_of(timer, struct chess_group, watchdog.timer);
	bool more, moved = false;

	raw_spin_lock(&g->plock);
	more = g->state == CHESS_GROUP_STATE_RUNNING;
	if (more) {
		if (g->deferral.waits) {
			g->deferral.ticks += !is_any_frozen_locked(g);
			chess_settle_locked(g);
		}
		if (g->token)
			check_holder_locked(g, g->token);
		check_guard_locked(g);
		moved = follow_locked(g);
	}
	if (g->token || g->notices.due || g->dead_tasks)
		irq_work_queue(&g->irq_work);
	raw_spin_unlock(&g->plock);
	if (!more || moved)
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
	chess_compat_hrtimer_setup(&g->watchdog.timer, tick, CLOCK_MONOTONIC,
				   HRTIMER_MODE_REL_PINNED_HARD);
	INIT_CSD(&g->watchdog.mover, move_here, g);
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
	g->watchdog.decisions = 0;
	g->watchdog.user = 0;
	g->watchdog.spin = 0;
	g->watchdog.spun = 0;
	g->watchdog.idle = 0;
	hrtimer_start(&g->watchdog.timer, ms_to_ktime(CHESS_TICK_MS), HRTIMER_MODE_REL_PINNED_HARD);
}

static void start_here(void *data)
{
	chess_watchdog_start(data);
}

/**
 * chess_watchdog_adopted() - a run begins with tasks that are somewhere
 * @g: the group
 *
 * Context: process.
 */
void chess_watchdog_adopted(struct chess_group *g)
{
	/* The processor may just have gone: then the timer is here. */
	if (smp_call_function_single(g->place.cpu, start_here, g, 1))
		chess_watchdog_start(g);
}

/**
 * chess_watchdog_stop() - the group is going away
 * @g: the group
 *
 * Context: process.
 */
void chess_watchdog_stop(struct chess_group *g)
{
	hrtimer_cancel(&g->watchdog.timer);
}
