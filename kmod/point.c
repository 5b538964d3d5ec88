// SPDX-License-Identifier: GPL-2.0-only
/*
 * Points and decisions. Everything that changes the enabled set or moves the
 * token is here. probe.c, trap.c, gate.c and watchdog.c call; gate.c does the
 * parking and waking that follows.
 *
 *     sys_enter, trap --> chess_point_take() ----+
 *     sched_switch ----> chess_point_blocked() --+--> defer --> settle --> token
 *                 \----> chess_point_dead() -----+              ^
 *     sched_waking ----> chess_point_woken()                    |
 *     sched in --------> chess_point_arrived() --(idle)---------+
 *     watchdog ----------------------------------(retry)--------+
 *
 * A decision is a function of the prefix, the policy and the recorded past only
 * (invariant I3). Three things could break that, and are dealt with here:
 *
 *  - Tasks that die without the token (exit_group, a fatal signal) run beside
 *    the holder and wake others as they go. So no decision is taken while one
 *    is on its way: it is deferred until they are gone, and what they did is
 *    recorded then, in order of ids.
 *  - Wake-ups from outside the group (timers, other processes) come when they
 *    come. Such a task is latched: it stays out of the enabled set until nobody
 *    else is enabled, until somebody yields, or for CHESS_LATCH_POINTS points,
 *    so that where it joins does not depend on when it was woken. Not so in an
 *    adopted group, unless its owner asks for it: nearly all of a service's wake-ups
 *    are from outside, and requests should not wait for that.
 *  - A prefix may ask for a task whose wake-up from outside has not come yet in
 *    this run. The decision is deferred for CHESS_AWAIT_TICKS before that is
 *    called a divergence.
 */
#include <linux/sched/signal.h>

#include "clock.h"
#include "deadline.h"
#include "events.h"
#include "gate.h"
#include "point.h"
#include "record.h"
#include "take.h"
#include "task.h"
#include "timer.h"
#include "watchdog.h"

/* Points a latched task waits at most while others run on without a yield. */
#define CHESS_LATCH_POINTS	2000

/*
 * Does something wait for the irq work? A holder that is not parked sees by
 * itself that it may go on: it sets @parked before it looks, and looks again
 * behind chess_point_arrived(), that is after it had plock.
 */
static bool is_kick_due_locked(const struct chess_group *g)
{
	return (g->token && (READ_ONCE(g->token->parked) || g->token->wait_for.passed)) ||
	       g->notices || g->dead_tasks;
}

/**
 * chess_point_others_dying_locked() - is a task on its way out beside the holder
 * @g: the group
 * @except: id of one that does not count
 *
 * Context: any, group->plock held.
 * Return: whether one is.
 */
bool chess_point_others_dying_locked(const struct chess_group *g, u32 except)
{
	const struct chess_task *t;

	list_for_each_entry(t, &g->tasks, entry)
		if (t->id != except && !t->pending &&
		    (t->enabled || t->latched || READ_ONCE(t->parked)) &&
		    chess_task_dying(t))
			return true;
	return false;
}

static struct chess_task *find_id_locked(const struct chess_group *g, unsigned int id)
{
	return id < CHESS_MAX_TASKS ? g->by_id[id] : NULL;
}

static void disable_locked(struct chess_task *t)
{
	struct chess_group *g = t->group;

	if (t->latched) {
		t->latched = false;
		g->nlatched--;
	}
	if (t->enabled)
		chess_fair_disabled(&g->fair, t->id, g->token ? g->token->id : t->id);
	t->enabled = false;
	chess_set_remove(&g->enabled, t->id);
}

static void record_wake_locked(struct chess_task *t, u32 waker)
{
	t->seq = chess_record_push_locked(t->group, &(struct chess_event) {
		.type = CHESS_EVENT_WAKE,
		.object_kind = CHESS_OBJECT_TASK,
		.task = t->id,
		.chosen = CHESS_TASK_NONE,
		.object = waker,
	});
	trace_wake(t->group->id, t->id, t->task->pid, waker);
}

/* What dying tasks did, in order of ids: their ends, then their wake-ups. */
static void record_dying_locked(struct chess_group *g)
{
	struct chess_task *t, *next;

	list_for_each_entry_safe(t, next, &g->killed, entry) {
		chess_record_push_locked(g, &(struct chess_event) {
			.type = CHESS_EVENT_KILLED,
			.object_kind = CHESS_OBJECT_CODE,
			.task = t->id,
			.chosen = CHESS_TASK_NONE,
			.object = t->exit_code,
		});
		list_del_init(&t->entry);
		t->dead_next = g->dead_tasks;
		g->dead_tasks = t;
	}
	if (!g->nwoken)
		return;
	g->nwoken = 0;
	list_for_each_entry(t, &g->tasks, entry)
		if (t->woken) {
			t->woken = false;
			record_wake_locked(t, CHESS_TASK_NONE);
		}
}

static struct chess_task *first_latched_locked(const struct chess_group *g)
{
	struct chess_task *t, *first = NULL;

	if (!g->nlatched)
		return NULL;
	list_for_each_entry(t, &g->tasks, entry)
		if (t->latched && (!first || t->latch < first->latch))
			first = t;
	return first;
}

static void admit_all_locked(struct chess_group *g)
{
	struct chess_task *t;

	while ((t = first_latched_locked(g))) {
		chess_task_enable_locked(t);
		record_wake_locked(t, CHESS_TASK_NONE);
	}
	g->since_latch = 0;
}

/*
 * Deadlines behind which the clock is by now: those tasks could go on. Not the one
 * that is just blocking: it is not enabled at its own block.
 */
static void pass_expired_locked(struct chess_group *g, const struct chess_event *e)
{
	struct chess_task *t;

	while ((t = chess_deadline_first_locked(g)) && t->wait_for.deadline <= g->now &&
	       !(e->type == CHESS_EVENT_BLOCK && e->task == t->id))
		chess_deadline_pass_locked(t);
}

/*
 * Where nobody can go on, or nobody but a task that says it cannot, time passes
 * until the earliest deadline; tasks from outside are looked at before.
 */
static unsigned int default_locked(const struct chess_group *g, const struct chess_event *e,
				   bool yield)
{
	unsigned int chosen = chess_fair_default(&g->fair, &g->enabled, e->task, yield);
	struct chess_task *first;

	if (g->timed.count && !g->nlatched &&
	    (chosen == CHESS_TASK_NONE || (yield && chosen == e->task))) {
		first = chess_deadline_first_locked(g);
		chosen = first->id;
	}
	return chosen;
}

/*
 * Whatever the prefix wants: it says nothing about timers, and the same ones have
 * to go off here when it is replayed.
 */
static bool are_timers_due_locked(struct chess_group *g, const struct chess_event *e, bool yield)
{
	bool alone = g->enabled.count == 1 && chess_set_has(&g->enabled, e->task);
	/* Once for each yield: a periodic timer would go off for ever. */
	bool stuck = !g->enabled.count || (yield && !g->yield_spent && alone);
	struct chess_task *first = chess_deadline_first_locked(g);

	return chess_timer_is_due_locked(g, stuck && !g->nlatched,
					 first ? first->wait_for.deadline : U64_MAX);
}

static bool may_choose_locked(const struct chess_group *g, unsigned int id)
{
	return id < CHESS_MAX_TASKS &&
	       (chess_set_has(&g->enabled, id) || chess_set_has(&g->timed, id));
}

/* The prefix asks for @want, which is not enabled. Is there hope? */
static bool await_locked(struct chess_group *g, unsigned int want)
{
	struct chess_task *t = find_id_locked(g, want);

	if (!t)
		return false;
	if (t->latched) {
		chess_task_enable_locked(t);
		record_wake_locked(t, CHESS_TASK_NONE);
		return false;
	}
	return g->deferred_ticks < CHESS_AWAIT_TICKS;
}

/*
 * Who has to let others go first at this decision: the search cannot know it from the
 * enabled set. Nothing is said where there is nobody.
 */
static void record_left_out_locked(struct chess_group *g, u32 task)
{
	unsigned int i;

	for (i = 0; g->fair.out.count && i < CHESS_SET_WORDS; i++)
		if (g->fair.out.words[i])
			chess_record_push_locked(g, &(struct chess_event) {
				.type = CHESS_EVENT_FAIR,
				.task = task,
				.chosen = CHESS_TASK_NONE,
				.enabled = g->fair.out.words[i],
				.object = i,
			});
}

/* The prefix asks for @want, who cannot be chosen: the rest of it is of no use. */
static void record_divergence_locked(struct chess_group *g, u16 task, unsigned int want,
				     u64 enabled, u64 timed)
{
	g->notice_seq = chess_record_push_locked(g, &(struct chess_event) {
		.type = CHESS_EVENT_DIVERGENCE,
		.object_kind = CHESS_OBJECT_TASK,
		.task = task,
		.chosen = CHESS_TASK_NONE,
		.enabled = enabled,
		.timed = timed,
		.object = want,
	});
	g->notices |= BIT(CHESS_NOTICE_DIVERGENCE);
	chess_prefix_drop(&g->prefix);
}

/**
 * chess_point_settle_locked() - take the deferred decision, if it can be taken
 * @g: the group
 *
 * Context: any, group->plock held.
 * Return: whether the token has a new holder who must be told; then
 * group->irq_work must be queued, or chess_gate_wake() called.
 */
bool chess_point_settle_locked(struct chess_group *g)
{
	struct chess_event *e = &g->deferred_event;
	unsigned int want, usual, chosen;
	struct chess_task *t, *at;
	bool yield;

	lockdep_assert_held(&g->plock);
	if (!g->deferred || g->firing || g->gathering || g->held ||
	    g->state != CHESS_GROUP_STATE_RUNNING)
		return false;
	if (g->deferred_ticks < CHESS_DYING_TICKS && chess_point_others_dying_locked(g, e->task))
		return false;
	record_dying_locked(g);

	yield = e->type == CHESS_EVENT_QUANTUM || (e->flags & CHESS_OPF_YIELD);
	if (g->nlatched && (yield || ++g->since_latch > CHESS_LATCH_POINTS))
		admit_all_locked(g);
	if (g->timed.count) {
		/* Tasks that take turns in yielding wait for time to pass as well. */
		if (yield)
			g->now += CHESS_CLOCK_STEP;
		pass_expired_locked(g, e);
	}
	if (g->narmed && are_timers_due_locked(g, e, yield)) {
		g->firing = true;
		g->yield_spent = true;
		irq_work_queue(&g->irq_work);
		return false;
	}

	want = chess_prefix_peek(&g->prefix);
	if (want != CHESS_TASK_NONE && (g->enabled.count || g->timed.count) &&
	    !may_choose_locked(g, want)) {
		if (await_locked(g, want))
			return false;
		if (!may_choose_locked(g, want)) {
			record_divergence_locked(g, e->task, want, g->enabled.words[0],
						 g->timed.words[0]);
			want = CHESS_TASK_NONE;
		}
	}
	at = find_id_locked(g, e->task);
	if (yield && at)
		chess_fair_yield(&g->fair, at->fair, at->id, &g->enabled);
	chess_fair_look(&g->fair, &g->enabled);
	usual = default_locked(g, e, yield);
	if (want != CHESS_TASK_NONE && !may_choose_locked(g, want))
		want = CHESS_TASK_NONE;
	chosen = want == CHESS_TASK_NONE ? usual : want;
	if (g->policy.kind && chosen != CHESS_TASK_NONE) {
		chess_fair_allowed(&g->fair, &g->enabled, &g->allowed);
		chosen = chess_policy_decide(&g->policy, e, &(struct chess_policy_choice) {
			.enabled = &g->allowed, .timed = &g->timed,
			.usual = usual, .forced = want,
		});
	}
	if (chosen != usual && chess_set_has(&g->timed, chosen))
		e->flags |= CHESS_OPF_EARLY;
	g->deferred = false;
	g->deferred_ticks = 0;
	record_left_out_locked(g, e->task);
	chess_take_fill_locked(g, e, chosen);
	e->seq = chess_record_push_locked(g, e);
	if (at)
		at->seq = e->seq;
	chess_take_trace(g, at, e, want);
	if (chosen == CHESS_TASK_NONE) {
		/* Idle. A task from outside may be waiting for just this. */
		t = first_latched_locked(g);
		if (!t) {
			/* A service waits most of the time: few want to know. */
			if (g->ntasks && (!g->adopted || g->latching))
				g->notices |= BIT(CHESS_NOTICE_IDLE);
			return false;
		}
		chess_task_enable_locked(t);
		g->since_latch = 0;
		g->deferred = true;
		*e = (struct chess_event) { .type = CHESS_EVENT_RESUME, .task = t->id };
		return chess_point_settle_locked(g);
	}
	chess_prefix_advance(&g->prefix);
	g->decisions++;
	g->token = find_id_locked(g, chosen);
	chess_fair_scheduled(&g->fair, chosen);
	if (chess_set_has(&g->timed, chosen))
		chess_deadline_pass_locked(g->token);
	return true;
}

/* The token is free; @e says why. */
static bool defer_locked(struct chess_task *t, const struct chess_event *e)
{
	struct chess_group *g = t->group;

	g->token = NULL;
	g->deferred = true;
	g->deferred_ticks = 0;
	g->yield_spent = false;
	g->deferred_event = *e;
	g->deferred_event.task = t->id;
	return chess_point_settle_locked(g);
}

/**
 * chess_point_defer_locked() - a decision at a point that is not like most
 * @t: the task, which is current and has the token
 * @e: the event; copied
 *
 * Context: probe, group->plock held.
 * Return: number of the event where the decision could be taken, else 0.
 */
u32 chess_point_defer_locked(struct chess_task *t, const struct chess_event *e)
{
	return defer_locked(t, e) ? t->group->deferred_event.seq : 0;
}

/**
 * chess_point_take() - the running task is at a point
 * @t: the task, which is current
 * @e: the op; all filled in but what the decision adds
 * @regs: its user registers
 *
 * Context: probe (trap of current) or task work, IRQs off.
 * Return: enum chess_take.
 */
enum chess_take chess_point_take(struct chess_task *t, const struct chess_event *e,
				 const struct pt_regs *regs)
{
	struct chess_group *g = t->group;
	struct chess_event *slot;
	enum chess_take take;
	u32 seq = 0;

	raw_spin_lock(&g->plock);
	if (chess_take_begin_locked(t, &take)) {
		slot = chess_record_slot_locked(g);
		*slot = *e;
		take = chess_take_end_locked(t, slot, &seq);
	}
	raw_spin_unlock(&g->plock);
	chess_take_stack(g, seq, regs);
	return take;
}

/**
 * chess_point_signal() - a signal goes to a process: which of its threads takes it?
 * @g: the group
 * @takers: threads that may, as bits; at least two
 * @sig: its number
 *
 * By default the lowest id: a process's first thread, as in the kernel.
 *
 * Context: any; the token holder sends, or timers go off while the token is free.
 * Return: the id of the one that takes it, or CHESS_TASK_NONE when the group does
 * not run.
 */
unsigned int chess_point_signal(struct chess_group *g, u64 takers, int sig)
{
	struct chess_event e = {
		.type = CHESS_EVENT_SIGNAL,
		.op = CHESS_OP_SIGNAL,
		.nr = sig,
		.enabled = takers,
		.chosen = CHESS_TASK_NONE,
	};
	unsigned long flags;
	unsigned int want;

	raw_spin_lock_irqsave(&g->plock, flags);
	if (g->state != CHESS_GROUP_STATE_RUNNING || (!g->token && !g->firing))
		goto out;
	e.task = g->token ? g->token->id : g->deferred_event.task;
	e.chosen = chess_policy_signal(&g->policy, takers, __ffs(takers));
	want = chess_prefix_peek(&g->prefix);
	if (want < BITS_PER_TYPE(takers) && (takers & BIT_ULL(want))) {
		e.chosen = want;
	} else if (want != CHESS_TASK_NONE) {
		record_divergence_locked(g, e.task, want, takers, 0);
		irq_work_queue(&g->irq_work);
	}
	e.seq = chess_record_push_locked(g, &e);
	trace_decision(g->id, &e, e.chosen == want);
	chess_prefix_advance(&g->prefix);
	g->decisions++;
out:
	raw_spin_unlock_irqrestore(&g->plock, flags);
	return e.chosen;
}

/**
 * chess_point_quantum() - the running task used up its quantum
 * @t: the task, which is current
 * @regs: its user registers
 *
 * Context: task work.
 */
void chess_point_quantum(struct chess_task *t, const struct pt_regs *regs)
{
	struct chess_group *g = t->group;
	struct chess_event e = {
		.type = CHESS_EVENT_QUANTUM,
		.ip = regs->ip,
	};
	unsigned long flags;
	bool moved = false;
	u32 seq;

	raw_spin_lock_irqsave(&g->plock, flags);
	if (g->state == CHESS_GROUP_STATE_RUNNING && g->token == t)
		moved = defer_locked(t, &e);
	/* Where the record is full it has none. */
	seq = moved ? g->deferred_event.seq : 0;
	raw_spin_unlock(&g->plock);
	chess_take_stack(g, seq, regs);
	local_irq_restore(flags);
	if (moved)
		chess_gate_wake(g);
}

/**
 * chess_point_blocked() - a task is about to sleep in the kernel
 * @t: the task, which is current
 * @state: the state it sleeps in
 *
 * Context: probe (sched_switch, run-queue lock held).
 */
void chess_point_blocked(struct chess_task *t, unsigned int state)
{
	struct chess_group *g = t->group;
	struct chess_event e = { .type = CHESS_EVENT_BLOCK };
	unsigned long flags;

	raw_spin_lock_irqsave(&g->plock, flags);
	if (!t->alive || t->pending)
		goto out;
	t->blocked = true;
	t->block_state = state;
	disable_locked(t);
	if (g->state != CHESS_GROUP_STATE_RUNNING)
		goto out;
	if (t->wait_for.active && !(state & (__TASK_STOPPED | __TASK_TRACED)))
		chess_set_add(&g->timed, t->id);
	if (g->token == t) {
		trace_block(g->id, t->id, t->task->pid, state, chess_set_has(&g->timed, t->id));
		defer_locked(t, &e);
	} else {
		chess_point_settle_locked(g);
	}
	if (is_kick_due_locked(g))
		irq_work_queue(&g->irq_work);
out:
	raw_spin_unlock_irqrestore(&g->plock, flags);
}

/**
 * chess_point_slept() - the holder sleeps in the kernel's own business
 * @t: the task, which is current
 *
 * Memory, a kernel mutex, a disk: it keeps the token, else the kernel's
 * momentary state would show in the record. The watchdog looks after it.
 *
 * Context: probe (sched_switch, run-queue lock held).
 */
void chess_point_slept(struct chess_task *t)
{
	struct chess_group *g = t->group;
	unsigned long flags;

	raw_spin_lock_irqsave(&g->plock, flags);
	t->kept = g->token == t;
	raw_spin_unlock_irqrestore(&g->plock, flags);
}

/* Who interferes is told when a prefix cannot be followed. */
static void note_outside_locked(struct chess_group *g, const struct chess_task *t)
{
	g->outside_task = t->id;
	g->outside_pid = in_task() ? current->pid : 0;
	if (in_task())
		memcpy(g->outside_comm, current->comm, sizeof(g->outside_comm));
	else
		g->outside_comm[0] = '\0';
}

/**
 * chess_point_woken() - somebody wakes a task of a group
 * @t: the task
 *
 * Only wake-ups from within the group count here, in the waker's context, where
 * their place in the record is exact (invariant I2). All others are noticed when
 * the task is scheduled in: chess_point_arrived().
 *
 * Context: probe (sched_waking, p->pi_lock held).
 */
void chess_point_woken(struct chess_task *t)
{
	struct chess_group *g = t->group;
	struct chess_task *waker = in_hardirq() ? NULL : chess_task_find(current);
	unsigned long flags;

	raw_spin_lock_irqsave(&g->plock, flags);
	if (!t->alive || t->pending || t->enabled || g->state != CHESS_GROUP_STATE_RUNNING)
		goto out;
	if (chess_task_dying(t)) {
		chess_task_enable_locked(t);
	} else if (READ_ONCE(g->firing_cpu) == smp_processor_id()) {
		chess_task_enable_locked(t);
		record_wake_locked(t, CHESS_TASK_NONE);
	} else if (waker && waker->group == g && waker->alive) {
		chess_task_enable_locked(t);
		/*
		 * Tasks that die beside the holder share files with it: which of them
		 * drops the last reference, and wakes, is the kernel's momentary state.
		 */
		if (g->token == waker && list_empty(&g->killed) &&
		    !chess_point_others_dying_locked(g, waker->id)) {
			record_wake_locked(t, waker->id);
		} else {
			g->nwoken += !t->woken;
			t->woken = true;
		}
	} else {
		note_outside_locked(g, t);
	}
out:
	raw_spin_unlock_irqrestore(&g->plock, flags);
}

/**
 * chess_point_join() - a task runs again that was not enabled
 * @t: the task, which is current
 *
 * Context: preempt notifier or task work.
 */
void chess_point_join(struct chess_task *t)
{
	struct chess_group *g = t->group;
	struct chess_event e = { .type = CHESS_EVENT_RESUME };
	unsigned long flags;

	raw_spin_lock_irqsave(&g->plock, flags);
	if (!t->alive || g->state != CHESS_GROUP_STATE_RUNNING)
		goto out;
	t->kept = false;
	if (t->enabled || t->latched)
		goto out;
	if (chess_task_dying(t) || g->gathering || g->held) {
		chess_task_enable_locked(t);
	} else if (!g->token && !g->deferred && !g->enabled.count) {
		chess_task_enable_locked(t);
		g->since_latch = 0;
		defer_locked(t, &e);
	} else if (g->adopted && !g->latching) {
		chess_task_enable_locked(t);
		record_wake_locked(t, CHESS_TASK_NONE);
		chess_point_settle_locked(g);
	} else {
		t->latched = true;
		t->latch = g->latches++;
		g->nlatched++;
		chess_point_settle_locked(g);
	}
	if (is_kick_due_locked(g))
		irq_work_queue(&g->irq_work);
out:
	raw_spin_unlock_irqrestore(&g->plock, flags);
}

/* The first decision, if there is somebody who could go on. */
static void start_locked(struct chess_group *g)
{
	struct chess_event e = { .type = CHESS_EVENT_RESUME };
	struct chess_task *t;

	list_for_each_entry(t, &g->tasks, entry)
		if (t->enabled && g->state == CHESS_GROUP_STATE_RUNNING) {
			defer_locked(t, &e);
			break;
		}
}

/**
 * chess_point_begin() - all tasks that could be adopted are: take the first decision
 * @g: the group
 *
 * Not where it is held: chess_point_release() does that.
 *
 * Context: process.
 */
void chess_point_begin(struct chess_group *g)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&g->plock, flags);
	g->gathering = false;
	if (!g->held)
		start_locked(g);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	irq_work_queue(&g->irq_work);
}

/**
 * chess_point_release() - take the first decision of a run that was held
 * @g: the group
 *
 * Whoever was woken meanwhile is enabled by now, in whatever order it happened.
 *
 * Context: netlink, group->lock held.
 * Return: 0, or -ENOENT when it is not held.
 */
int chess_point_release(struct chess_group *g)
{
	unsigned long flags;
	bool held;

	lockdep_assert_held(&g->lock);
	raw_spin_lock_irqsave(&g->plock, flags);
	held = g->held && g->state == CHESS_GROUP_STATE_RUNNING;
	g->held = false;
	if (held)
		start_locked(g);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	irq_work_queue(&g->irq_work);
	return held ? 0 : -ENOENT;
}

/**
 * chess_point_end_locked() - the last task is gone: the run is over
 * @g: the group
 *
 * Context: any, group->plock held; group->irq_work must be queued behind it.
 */
void chess_point_end_locked(struct chess_group *g)
{
	lockdep_assert_held(&g->plock);
	if (!list_empty(&g->tasks) || g->state == CHESS_GROUP_STATE_IDLE)
		return;
	g->deferred = false;
	g->token = NULL;
	if (g->state == CHESS_GROUP_STATE_RUNNING)
		record_dying_locked(g);
	g->state = CHESS_GROUP_STATE_IDLE;
	g->notices |= BIT(CHESS_NOTICE_END);
}

static void insert_killed_locked(struct chess_group *g, struct chess_task *t)
{
	struct chess_task *pos;

	list_for_each_entry(pos, &g->killed, entry)
		if (pos->id > t->id)
			break;
	list_add_tail(&t->entry, &pos->entry);
}

/**
 * chess_point_dead() - a task is dead and will not run again
 * @t: the task
 *
 * Context: probe (sched_switch with TASK_DEAD, run-queue lock held).
 */
void chess_point_dead(struct chess_task *t)
{
	struct chess_group *g = t->group;
	struct chess_event e = {
		.type = CHESS_EVENT_EXIT,
		.object_kind = CHESS_OBJECT_CODE,
		.arg = t->quiet,
	};
	unsigned long flags;
	bool had;

	raw_spin_lock_irqsave(&g->plock, flags);
	if (!t->alive)
		goto out;
	if (t->pending || t->apart) {
		chess_task_remove_locked(t);
		goto end;
	}
	had = g->token == t || (g->deferred && g->deferred_event.task == t->id);
	t->exit_code = chess_task_exit_code(t->task);
	if (g->state != CHESS_GROUP_STATE_RUNNING) {
		chess_task_remove_locked(t);
		goto end;
	}
	if (had) {
		chess_task_remove_locked(t);
		e.object = t->exit_code;
		defer_locked(t, &e);
	} else {
		chess_task_bury_locked(t);
		insert_killed_locked(g, t);
		chess_point_settle_locked(g);
	}
end:
	chess_point_end_locked(g);
	irq_work_queue(&g->irq_work);
out:
	raw_spin_unlock_irqrestore(&g->plock, flags);
}

/**
 * chess_point_stall_locked() - take the token from a holder that sleeps
 * @g: the group
 * @t: the holder
 *
 * Context: probe (watchdog), group->plock held.
 */
void chess_point_stall_locked(struct chess_group *g, struct chess_task *t)
{
	struct chess_event e = { .type = CHESS_EVENT_STALL };

	lockdep_assert_held(&g->plock);
	t->kept = false;
	t->blocked = true;
	t->block_state = READ_ONCE(t->task->__state);
	disable_locked(t);
	g->stalls++;
	defer_locked(t, &e);
}
