// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who of those that wait in line is woken. The kernel wakes the waiters of a futex that have
 * one priority, and readers and writers of a pipe, in the order in which they came. Where a run
 * asks for it (wake-any) this is a decision, event QUEUE: when a task that is about to wake
 * goes on, and two or more wait in that line. If it is not the first who is to be woken, those
 * in front are sent round, one by one: they get the token for as long as it takes to end
 * their wait, as a signal without a handler ends it, and to begin it again, at the end of the
 * line. They execute no code of the program meanwhile but the call itself, and nothing is
 * recorded. Then the waker goes on.
 *
 *     settle --> chess_queue_decide_locked() --> token to who is in front
 *     irq work --> chess_gate_wake() --> its wait ends, and the call is made again
 *     sched_switch --> chess_queue_back_locked() --> the next one, or the waker
 *
 * A futex whose value the program changed before it wakes (a lock of its own; the points of
 * sync functions are before that) cannot be waited for again: then the call returns EAGAIN,
 * as it may for anybody whom a signal interrupts, and the task is woken by that.
 */
#include <linux/sched/prio.h>
#include <linux/sched/task_stack.h>
#include <uapi/linux/futex.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "chess.h"
#include "enabled.h"
#include "events.h"
#include "memory.h"
#include "queue.h"
#include "record_push.h"
#include "settle.h"
#include "task.h"
#include "traps/space.h"

/* How far into an object of a sync function its futex words are, as in trap.c. */
#define LOCK_BYTES	24
#define COND_BYTES	48

enum { LINE_NONE, LINE_FUTEX, LINE_READ, LINE_WRITE };

/* What a task is about to wake: lines of a kind, at @from and up to @bytes after it. */
struct wakes {
	u8 kind;
	u64 from;
	u64 bytes;
	const struct mm_struct *mm;	/* of the waker */
};

/* Private addresses mean something in one address space; NULL: shared by all of the run. */
static const struct mm_struct *space_of(const struct chess_task *t, u64 address)
{
	u8 memory;

	return t->mm && chess_memory_is_shared(chess_mm_shared(t->mm), &address, &memory) ?
	       NULL : t->task->mm;
}

/* What the last event of a task says, if that is a point it stands at. */
static const struct chess_event *point_of(const struct chess_task *t)
{
	const struct chess_event *e = t->seq ? &t->group->record.events[t->seq - 1] : NULL;

	return e && e->type == CHESS_EVENT_POINT && e->task == t->id ? e : NULL;
}

static bool about_to_wake(const struct chess_task *t, struct wakes *w)
{
	const struct chess_event *e = point_of(t);

	if (!e)
		return false;
	*w = (struct wakes) { .kind = LINE_FUTEX, .from = e->object, .bytes = LOCK_BYTES };
	switch (e->op) {
	case CHESS_OP_UNLOCK:
	case CHESS_OP_SEM_POST:
		break;
	case CHESS_OP_COND_SIGNAL:
		w->bytes = COND_BYTES;
		break;
	case CHESS_OP_COND_WAIT:
		w->from = e->arg;	/* the mutex it unlocks */
		break;
	case CHESS_OP_FUTEX_WAKE:
		w->bytes = 1;
		break;
	case CHESS_OP_READ:
	case CHESS_OP_WRITE:
		w->kind = e->op == CHESS_OP_READ ? LINE_WRITE : LINE_READ;
		w->bytes = 1;
		return e->object_kind == CHESS_OBJECT_INODE;
	default:
		return false;
	}
	w->mm = t->task->mm;
	return e->object_kind == CHESS_OBJECT_ADDRESS;
}

static bool is_in(const struct chess_task *t, const struct wakes *w)
{
	return t->line.place && !t->enabled && t->line.kind == w->kind &&
	       t->line.word - w->from < w->bytes && (!t->line.mm || t->line.mm == w->mm);
}

/* The same line, and not only the same object. */
static bool is_with(const struct chess_task *t, const struct chess_task *first)
{
	return t->line.place && !t->enabled && t->line.kind == first->line.kind &&
	       t->line.word == first->line.word && t->line.mm == first->line.mm;
}

/*
 * Those in line with @first, as bits. None where the record cannot say who, or a priority
 * counts for more than the order.
 */
static u64 those_with(const struct chess_group *g, const struct chess_task *first)
{
	const struct chess_task *t;
	u64 set = 0;

	list_for_each_entry(t, &g->tasks, entry) {
		if (!is_with(t, first))
			continue;
		if (t->id >= BITS_PER_TYPE(set) || t->task->normal_prio < MAX_RT_PRIO)
			return 0;
		set |= BIT_ULL(t->id);
	}
	return set;
}

/* The line whose first came first, of those where more than @n wait. */
static struct chess_task *first_locked(const struct chess_group *g, const struct wakes *w, u32 n,
				       u64 *set)
	__must_hold(&g->plock)
{
	struct chess_task *t, *first = NULL;
	u64 with;

	lockdep_assert_held(&g->plock);
	*set = 0;
	list_for_each_entry(t, &g->tasks, entry) {
		if (!is_in(t, w) || (first && first->line.place < t->line.place))
			continue;
		with = those_with(g, t);
		if (hweight64(with) <= n)
			continue;
		first = t;
		*set = with;
	}
	return first;
}

/* The next one in front is sent round; after the last the waker continues. */
static void next_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	const struct chess_task *target = g->by_id[g->queue.target];
	struct chess_task *t, *next = NULL;

	lockdep_assert_held(&g->plock);
	list_for_each_entry(t, &g->tasks, entry)
		if (target && is_with(t, target) && t->line.place < target->line.place &&
		    (!next || t->line.place < next->line.place))
			next = t;
	if (!next) {
		g->token = g->by_id[g->queue.waker];
		g->queue.waker = CHESS_TASK_NONE;
		return;
	}
	next->line.place = 0;
	next->line.again = true;
	/* For the look whether it was woken by a task; the enabled set is as it was. */
	next->enabled = true;
	g->token = next;
}

static unsigned int choose_locked(struct chess_group *g, struct chess_event *e)
	__must_hold(&g->plock)
{
	unsigned int want = chess_prefix_peek(&g->prefix);
	unsigned int chosen = chess_policy_signal(&g->policy, e->enabled, e->object);

	lockdep_assert_held(&g->plock);
	if (want < BITS_PER_TYPE(e->enabled) && (e->enabled & BIT_ULL(want)))
		chosen = want;
	else if (want != CHESS_TASK_NONE)
		chess_settle_diverged_locked(g, e->task, want, e->enabled, 0);
	e->chosen = chosen;
	e->seq = chess_record_push_locked(g, e);
	trace_decision(g->id, e, chosen == want);
	chess_prefix_advance(&g->prefix);
	g->decisions++;
	return chosen;
}

/**
 * chess_queue_decide_locked() - somebody goes on: if it is to wake, whom?
 * @g: the group; its token holder has just been chosen
 *
 * Another task may have the token after this, for a while.
 *
 * Context: any, group->plock held.
 */
void chess_queue_decide_locked(struct chess_group *g)
	__must_hold(&g->plock)
{
	struct chess_task *waker = g->token, *first;
	struct chess_event e = {
		.type = CHESS_EVENT_QUEUE,
		.object_kind = CHESS_OBJECT_TASK,
	};
	struct wakes w;
	u32 n = 1;

	lockdep_assert_held(&g->plock);
	if (!about_to_wake(waker, &w))
		return;
	/* Who wakes as many as there are chooses none. */
	if (point_of(waker)->op == CHESS_OP_FUTEX_WAKE)
		n = max(n, waker->line.wakes);
	first = first_locked(g, &w, n, &e.enabled);
	if (!first)
		return;
	e.task = waker->id;
	e.object = first->id;
	g->queue.target = choose_locked(g, &e);
	g->queue.waker = waker->id;
	next_locked(g);
}

/**
 * chess_queue_blocked_locked() - a task sleeps: is that in a line
 * @t: the task, which is current
 *
 * Context: probe (sched_switch), group->plock held.
 */
void chess_queue_blocked_locked(struct chess_task *t)
	__must_hold(&t->group->plock)
{
	lockdep_assert_held(&t->group->plock);
	t->line.place = 0;
	if (t->line.kind && t->line.nr == task_pt_regs(current)->orig_ax)
		t->line.place = ++t->group->queue.places;
}

/**
 * chess_queue_back_locked() - a task sleeps: was it sent round
 * @t: the task, which is current
 * @state: the state it sleeps in
 *
 * Context: probe (sched_switch), group->plock held.
 * Return: whether it was; then group->irq_work must be queued.
 */
bool chess_queue_back_locked(struct chess_task *t, unsigned int state)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;

	lockdep_assert_held(&t->group->plock);
	bool again = t->line.again;

	t->line.again = false;
	if (!again || g->token != t || g->queue.waker == CHESS_TASK_NONE)
		return false;
	t->block_state = state;
	t->enabled = false;
	chess_queue_blocked_locked(t);
	next_locked(g);
	return true;
}

/**
 * chess_queue_left() - the call of a task ends
 * @t: the task, which is current
 *
 * Context: probe (sys_exit), not where the call is made again.
 * Return: whether the task was sent round, and is woken by this: it has to park.
 */
bool chess_queue_left(struct chess_task *t)
{
	struct chess_group *g = t->group;
	unsigned long flags;
	bool woken;

	raw_spin_lock_irqsave(&g->plock, flags);
	woken = t->line.again && g->token == t && g->queue.waker != CHESS_TASK_NONE;
	t->line.again = false;
	if (woken) {
		chess_task_enable_locked(t);
		chess_settle_wake_locked(t, g->queue.waker);
		next_locked(g);
		irq_work_queue(&g->irq_work);
	}
	raw_spin_unlock_irqrestore(&g->plock, flags);
	return woken;
}

/**
 * chess_queue_forget_locked() - a task is gone
 * @t: the task
 *
 * Context: any, group->plock held.
 */
void chess_queue_forget_locked(struct chess_task *t)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;

	lockdep_assert_held(&t->group->plock);
	t->line.place = 0;
	if (t->line.again || g->queue.waker == t->id)
		g->queue.waker = CHESS_TASK_NONE;
	t->line.again = false;
}

/* Who is moved to another futex is in a line nobody here knows. */
static void forget_line(struct chess_task *t, u64 word)
{
	const struct wakes w = { .kind = LINE_FUTEX, .from = word, .bytes = 1, .mm = t->task->mm };
	struct chess_group *g = t->group;
	struct chess_task *other;
	unsigned long flags;

	raw_spin_lock_irqsave(&g->plock, flags);
	list_for_each_entry(other, &g->tasks, entry)
		if (is_in(other, &w))
			other->line.place = 0;
	raw_spin_unlock_irqrestore(&g->plock, flags);
}

static void enter_futex(struct chess_task *t, const struct pt_regs *regs)
{
	unsigned long word = chess_arch_syscall_arg(regs, 0);

	t->line.mm = space_of(t, word);
	t->line.word = chess_memory_address(t, word);
	switch (chess_arch_syscall_arg(regs, 1) & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		t->line.kind = LINE_FUTEX;
		break;
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
		forget_line(t, t->line.word);
		break;
	}
}

/**
 * chess_queue_wakes() - a task is at the point of a call
 * @t: the task, which is current
 * @regs: its user registers
 * @nr: number of the call
 *
 * Context: probe (sys_enter), wake-any.
 */
void chess_queue_wakes(struct chess_task *t, const struct pt_regs *regs, long nr)
{
	if (nr != __NR_futex)
		return;
	switch (chess_arch_syscall_arg(regs, 1) & FUTEX_CMD_MASK) {
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
		t->line.wakes = max_t(int, chess_arch_syscall_arg(regs, 2), 1);
		break;
	default:
		t->line.wakes = U32_MAX;
	}
}

/**
 * chess_queue_enter() - a task executes a call: may it wait in line there
 * @t: the task, which is current and holds the token
 * @regs: its user registers
 * @nr: number of the call
 *
 * Context: probe (sys_enter), wake-any.
 */
void chess_queue_enter(struct chess_task *t, const struct pt_regs *regs, long nr)
{
	const struct chess_event *e = point_of(t);

	/* The same call once more: its point was before it slept, and it stands in that line. */
	if (!e && nr != __NR_futex && t->line.nr == nr && t->line.ip == regs->ip &&
	    t->line.sp == regs->sp)
		return;
	t->line.kind = LINE_NONE;
	t->line.nr = nr;
	t->line.ip = regs->ip;
	t->line.sp = regs->sp;
	if (nr == __NR_futex) {
		enter_futex(t, regs);
	} else if (e && e->nr == nr && e->object_kind == CHESS_OBJECT_INODE &&
		   (e->op == CHESS_OP_READ || e->op == CHESS_OP_WRITE)) {
		t->line.kind = e->op == CHESS_OP_READ ? LINE_READ : LINE_WRITE;
		t->line.word = e->object;
		t->line.mm = NULL;
	}
}
