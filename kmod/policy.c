// SPDX-License-Identifier: GPL-2.0-only
/*
 * See policy.h. All are in one file, longer than most, as each is a few functions on the same
 * state; much of the rest says where they are from.
 *
 * Those who may be chosen are the enabled tasks and those whose
 * deadline may pass; a task that yields is chosen only where there is no other. A step is what a
 * task does from one decision to its next, and its number is the decision's.
 *
 * round robin: as the default policy, but where a task cannot continue, yields, or has taken a
 * slice of steps, if the plan has one, the next id in turn does. With a slice of one step tasks
 * go on in lockstep, as on processors of the same speed.
 *
 * random: a walk that takes each way with equal chance at each decision.
 *
 * pct: Burckhardt, Kothari, Musuvathi, Nagarakatte, A Randomized Scheduler with
 * Probabilistic Guarantees of Finding Bugs (ASPLOS'10), section 3. Tasks have random
 * priorities, the highest runs; the task that takes the step of change point I gets
 * priority I, which is below all of those. Deviations: priorities are drawn when a
 * task is created, 63 bits wide instead of a permutation, so that the number of tasks
 * need not be known; steps are counted from when there is a second task, as until then
 * a lower priority is as good as one drawn lower; a step that finds it has to wait counts
 * as one; a task that yields, or waits until its deadline, goes after all others, else a
 * loop that waits for others would never end.
 *
 * pos: Yuan, Yang, Gu, Partial Order Aware Concurrency Sampling (CAV'18), section 4,
 * the algorithm with priorities drawn again. Each pending op has a random priority, the
 * highest is next, and the ops that race with it get new ones: ops of other tasks on
 * the same object, where one of the two writes. They are drawn at the next decision, for
 * an op that finds it has to wait was not executed. Deviations: an op without an object
 * races with none; an op that had to wait keeps its priority, and gets a new one when
 * something races with it as if it were enabled.
 *
 * surw: Zhao, Wolff, Mathur, Roychoudhury, Selectively Uniform Concurrency Testing
 * (ASPLOS'25), section 3, algorithm 2. Whose event is next is drawn by the number of
 * events each task still has; a random walk does the rest, and tasks at other events
 * are held. With exact numbers and without waits all orders of the events are alike.
 * Deviations: the draw is among those who can be chosen and not all who are alive; it
 * is repeated when the intended task cannot be chosen and nobody else may go on, and
 * when somebody yields, who may wait for one that is held; a task that has more events
 * than expected counts as having one.
 *
 * hold: the default policy, but a task that is at one of the chosen places, an access to
 * memory or a call of a sync function, is held there until nobody else can go on; of those
 * that are held then, the one at the place that comes first in the plan continues, and of
 * several the lowest id. A task that yields can go on: on a machine with several processors it
 * does at once. Who tries something a few times and gives up does so before the held task, which
 * may be why it fails, has moved; who would try for ever yields in vain CHESS_POLICY_ROUNDS times.
 *
 * order: see policy_order.c. A task that yields, or waits until its deadline, goes after all
 * others of its rank; one that yields beside tasks that are held only goes on as in hold.
 *
 * pairs: see policy_pairs.c; pos, among those that are not held.
 *
 * Timers that are armed and may go off early are, together, one more task that can be
 * chosen, whose op has no object; where all others are held, hold and order have them go off
 * first.
 *
 * Random numbers are from splitmix64 (Steele, Lea, Flood, Fast Splittable Pseudorandom
 * Number Generators, OOPSLA'14): 64 bits of state, the same everywhere.
 */
#include "policy.h"

/* Above what change points give, and above what those who yield get. */
#define PRIORITY_START	(1ULL << 63)
#define PRIORITY_CHANGE	(1ULL << 62)
#define PRIORITY_YIELD	(1ULL << 61)

static __u64 draw(struct chess_policy *p)
{
	__u64 z = p->random += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* Less than @n, which is not zero; all alike: what is too large is drawn again. */
static __u64 draw_below(struct chess_policy *p, __u64 n)
{
	__u64 mask = n > 1 ? ~0ULL >> __builtin_clzll(n - 1) : 0, r;

	do {
		r = draw(p) & mask;
	} while (r >= n);
	return r;
}

static __u64 first_priority(struct chess_policy *p, unsigned int id)
{
	if (p->kind == CHESS_POLICY_KIND_ORDER)
		return p->changes[0] & CHESS_ORDER_REVERSED ? PRIORITY_CHANGE + id :
		       PRIORITY_CHANGE + CHESS_MAX_TASKS - id;
	return PRIORITY_START | draw(p);
}

/* The task with this id, and those created before it. */
static struct chess_policy_task *know(struct chess_policy *p, unsigned int id)
{
	while (p->known <= id) {
		struct chess_policy_task *t = &p->tasks[p->known++];

		*t = (struct chess_policy_task) { .weight = t->weight, .left = t->weight };
		t->priority = first_priority(p, p->known - 1);
	}
	return &p->tasks[id];
}

/**
 * chess_policy_start() - a run begins
 * @p: the policy, with the plan's data set
 *
 * Context: any.
 */
void chess_policy_start(struct chess_policy *p)
{
	p->random = p->seed;
	p->known = 0;
	p->decisions = 0;
	p->yields = 0;
	p->intended = CHESS_TASK_NONE;
	p->timer = 0;
	p->rounds = 0;
	p->expiries = 0;
	p->expired = false;
	p->reached = false;
	chess_set_clear(&p->held);
	chess_order_start(p);
	chess_pairs_start(p);
}

/**
 * chess_policy_spawn() - a task was created
 * @p: the policy
 * @parent: who created it
 * @child: its id
 *
 * What the parent was expected to do contains what its child is: where that is the
 * parent's event next, it may as well be the child's.
 *
 * Context: any.
 */
void chess_policy_spawn(struct chess_policy *p, unsigned int parent, unsigned int child)
{
	struct chess_policy_task *from, *to;

	if (p->kind == CHESS_POLICY_KIND_DEFAULT)
		return;
	to = know(p, child);
	from = know(p, parent);
	if (p->kind != CHESS_POLICY_KIND_SURW)
		return;
	if (p->intended == parent && from->left && draw_below(p, from->left) < to->left)
		p->intended = child;
	from->left -= to->left < from->left ? to->left : from->left;
}

/* Random element of a set that is not empty. */
static unsigned int draw_task(struct chess_policy *p, const struct chess_set *set)
{
	unsigned int id = chess_set_next(set, 0), n = draw_below(p, set->count);

	while (n--)
		id = chess_set_next(set, id + 1);
	return id;
}

static unsigned int highest(struct chess_policy *p)
{
	unsigned int id, best = chess_set_next(&p->choosable, 0);

	for (id = best; id != CHESS_TASK_NONE; id = chess_set_next(&p->choosable, id + 1))
		if (know(p, id)->priority > p->tasks[best].priority)
			best = id;
	return best;
}

static bool is_event(const struct chess_policy *p, const struct chess_policy_task *t)
{
	return t->pending && (p->object_kind == CHESS_OBJECT_NONE ||
			      (p->object_kind == t->object_kind && p->object == t->object));
}

static void release_held(struct chess_policy *p)
{
	p->intended = CHESS_TASK_NONE;
	chess_set_clear(&p->held);
}

static unsigned int draw_weighted(struct chess_policy *p)
{
	unsigned int id;
	__u64 sum = 0, at;

	for (id = chess_set_next(&p->choosable, 0); id != CHESS_TASK_NONE;
	     id = chess_set_next(&p->choosable, id + 1))
		sum += know(p, id)->left;
	at = draw_below(p, sum);
	for (id = chess_set_next(&p->choosable, 0); at >= p->tasks[id].left;
	     id = chess_set_next(&p->choosable, id + 1))
		at -= p->tasks[id].left;
	return id;
}

/* Which of the chosen places it is held at; @n_changes: at none. */
static unsigned int held_at(const struct chess_policy *p, unsigned int id)
{
	const struct chess_policy_task *t = &p->tasks[id];
	unsigned int i;

	if (id >= p->known || !t->pending || !t->place)
		return p->n_changes;
	for (i = 0; i + 1 < p->n_changes; i += 2)
		if (p->changes[i] == t->place && (p->changes[i + 1] == CHESS_TASK_NONE ||
						 p->changes[i + 1] == id))
			return i;
	return p->n_changes;
}

static bool is_held(const struct chess_policy *p, unsigned int id)
{
	unsigned int tries = CHESS_MAX_TASKS;

	if (p->kind == CHESS_POLICY_KIND_ORDER)
		return chess_order_holds(p, id);
	if (p->kind == CHESS_POLICY_KIND_PAIRS)
		return chess_pairs_holds(p, id, &tries);
	return held_at(p, id) < p->n_changes;
}

static bool is_pos(const struct chess_policy *p)
{
	return p->kind == CHESS_POLICY_KIND_POS || p->kind == CHESS_POLICY_KIND_PAIRS;
}

static bool gives_way(const struct chess_event *e)
{
	return e->type == CHESS_EVENT_QUANTUM ||
	       (e->type == CHESS_EVENT_POINT && (e->flags & CHESS_OPF_YIELD));
}

/* Nobody can go on but those who are held, and the task of @e, if it yields or has to be fair. */
static bool goes_round(struct chess_policy *p, const struct chess_event *e,
		       const struct chess_policy_choice *from)
{
	const struct chess_set *enabled = from->unfair ? from->unfair : from->enabled;

	if (e->type != CHESS_EVENT_POINT || !chess_set_has(enabled, e->task) ||
	    is_held(p, e->task) || p->rounds >= CHESS_POLICY_ROUNDS)
		return false;
	/* One that did not say so has done nothing else for long. */
	if (gives_way(e) && e->op != CHESS_OP_YIELD)
		return false;
	p->rounds += gives_way(e);
	return true;
}

/* Who gives way is not among the choosable any more. */
static unsigned int hold(struct chess_policy *p, const struct chess_event *e,
			 const struct chess_policy_choice *from)
{
	unsigned int id, at, best = from->usual, least = held_at(p, best);

	if (least >= p->n_changes)
		return best;
	for (id = chess_set_next(from->enabled, 0); id != CHESS_TASK_NONE;
	     id = chess_set_next(from->enabled, id + 1)) {
		if (!chess_set_has(&p->choosable, id))
			continue;
		at = held_at(p, id);
		if (at >= p->n_changes)
			return id;
		if (at < least || (at == least && id < best)) {
			least = at;
			best = id;
		}
	}
	if (goes_round(p, e, from))
		return e->task;
	p->rounds = 0;
	return best;
}

static unsigned int order(struct chess_policy *p, const struct chess_event *e,
			  const struct chess_policy_choice *from)
{
	bool held;
	unsigned int best = chess_order_choose(p, from, &held);

	if (!held)
		return best;
	if (goes_round(p, e, from))
		return e->task;
	p->rounds = 0;
	return best;
}

/* As pos, among those that are not held. */
static unsigned int pairs(struct chess_policy *p, const struct chess_event *e,
			  const struct chess_policy_choice *from)
{
	struct chess_set loose = p->choosable;
	unsigned int id, tries = 4 * CHESS_MAX_TASKS;

	for (id = chess_set_next(&p->choosable, 0); id != CHESS_TASK_NONE;
	     id = chess_set_next(&p->choosable, id + 1))
		if (chess_pairs_holds(p, id, &tries))
			chess_set_remove(&loose, id);
	if (loose.count)
		p->choosable = loose;
	else if (goes_round(p, e, from))
		return e->task;
	else
		p->rounds = 0;
	return highest(p);
}

/* Ends: each round holds one more task, and nobody is held when all were. */
static unsigned int surw(struct chess_policy *p)
{
	struct chess_set loose = p->choosable;
	struct chess_policy_task *t;
	unsigned int id;

	for (id = chess_set_next(&p->held, 0); id != CHESS_TASK_NONE;
	     id = chess_set_next(&p->held, id + 1))
		chess_set_remove(&loose, id);
	for (;;) {
		if (!loose.count) {
			release_held(p);
			loose = p->choosable;
		}
		id = draw_task(p, &loose);
		t = know(p, id);
		if (!is_event(p, t))
			return id;
		if (!t->left)
			t->left = 1;
		if (p->intended == CHESS_TASK_NONE)
			p->intended = draw_weighted(p);
		if (p->intended == id)
			return id;
		chess_set_add(&p->held, id);
		chess_set_remove(&loose, id);
	}
}

/* The ops that race with the one @id executed. */
static void draw_racing(struct chess_policy *p, unsigned int id)
{
	const struct chess_policy_task *t = &p->tasks[id], *other;
	unsigned int i;

	if (t->object_kind == CHESS_OBJECT_NONE)
		return;
	for (i = 0; i < p->known; i++) {
		other = &p->tasks[i];
		if (i != id && other->object_kind == t->object_kind &&
		    other->object == t->object && (other->write || t->write))
			p->tasks[i].priority = draw(p);
	}
}

/*
 * pos, pairs: the op of the task that went on last was executed, unless this event says that it
 * has to wait.
 */
static void finish_op(struct chess_policy *p, const struct chess_event *e)
{
	unsigned int id = p->intended;

	p->intended = CHESS_TASK_NONE;
	if (id == CHESS_TASK_NONE || !p->tasks[id].pending)
		return;
	if (e->type == CHESS_EVENT_BLOCK && e->task == id)
		return;
	draw_racing(p, id);
	chess_pairs_go(p, id);
	p->tasks[id].pending = false;
}

static bool is_access(const struct chess_event *e)
{
	return e->op >= CHESS_OP_LOAD && e->op <= CHESS_OP_UPDATE;
}

/*
 * As plans of policies hold and order name it; 0: it is not a place where tasks are held.
 * Order and pairs have system calls too.
 */
static __u32 place_of(const struct chess_policy *p, const struct chess_event *e)
{
	if (!(e->flags & CHESS_OPF_PROBE))
		return p->kind >= CHESS_POLICY_KIND_ORDER && e->object_kind != CHESS_OBJECT_NONE ?
		       CHESS_ORDER_CALL(e->nr, e->ip) : 0;
	if (!e->nr)
		return 0;
	if (is_access(e))
		return e->nr;
	return CHESS_HOLD_CALL(e->caller ? e->caller : e->ip);
}

/* What the event says of its task. */
static void reach(struct chess_policy *p, const struct chess_event *e)
{
	struct chess_policy_task *t = know(p, e->task);

	if (is_pos(p))
		finish_op(p, e);
	if (e->type == CHESS_EVENT_POINT) {
		t->place = place_of(p, e);
		t->object_kind = e->object_kind;
		t->object = e->object;
		t->last = is_access(e) ? e->object + e->arg : e->object;
		t->write = e->flags & CHESS_OPF_WRITE;
		t->pending = true;
		if (is_pos(p))
			t->priority = draw(p);
		/* The coin of section 4.5 of Maple; see policy_order.c. */
		if (p->kind == CHESS_POLICY_KIND_ORDER && p->seed && !p->order.next &&
		    chess_order_holds(p, e->task) && draw(p) & 1)
			t->place = 0;
	}
}

static void put_last(struct chess_policy *p, struct chess_policy_task *t)
{
	t->priority = PRIORITY_YIELD - ++p->yields;
}

/* Round robin with a slice: the task has taken as many steps in a row. */
static bool slice_is_over(const struct chess_policy *p, unsigned int id)
{
	return p->n_changes && p->intended == id && p->rounds >= p->changes[0];
}

/*
 * The next in turn, also after a yield, where the default policy of a fair run takes the
 * lowest. What is usual and not enabled is a deadline.
 */
static unsigned int round_robin(const struct chess_policy *p,
				const struct chess_policy_choice *from,
				const struct chess_event *e)
{
	if (!chess_set_has(from->enabled, from->usual))
		return from->usual;
	return chess_decide_default(from->enabled, e->task,
				    gives_way(e) || !chess_set_has(from->enabled, e->task) ||
				    slice_is_over(p, e->task));
}

static void yield(struct chess_policy *p, unsigned int id)
{
	if (p->choosable.count > 1)
		chess_set_remove(&p->choosable, id);
	if (p->kind == CHESS_POLICY_KIND_PCT || p->kind == CHESS_POLICY_KIND_ORDER)
		put_last(p, know(p, id));
	else if (p->kind == CHESS_POLICY_KIND_SURW)
		release_held(p);
}

/* @id goes on; with @late its deadline passes. */
static void go(struct chess_policy *p, unsigned int id, bool late)
{
	struct chess_policy_task *t = know(p, id);
	unsigned int i;

	p->decisions += p->known > 1;
	p->expired = false;
	switch (p->kind) {
	case CHESS_POLICY_KIND_ROUND_ROBIN:
		p->rounds = p->intended == id ? p->rounds + 1 : 1;
		p->intended = id;
		break;
	case CHESS_POLICY_KIND_PCT:
		if (late)
			put_last(p, t);
		for (i = 0; i < p->n_changes; i++)
			if (p->changes[i] == p->decisions)
				t->priority = PRIORITY_CHANGE + i;
		break;
	case CHESS_POLICY_KIND_POS:
	case CHESS_POLICY_KIND_PAIRS:
		p->intended = id;
		return;
	case CHESS_POLICY_KIND_SURW:
		if (is_event(p, t)) {
			t->left -= !!t->left;
			release_held(p);
		}
		break;
	case CHESS_POLICY_KIND_ORDER:
		if (late)
			put_last(p, t);
		chess_order_go(p, id);
		break;
	}
	t->pending = false;
}

static unsigned int choose(struct chess_policy *p, const struct chess_event *e,
			   const struct chess_policy_choice *from)
{
	switch (p->kind) {
	case CHESS_POLICY_KIND_ROUND_ROBIN:
		return round_robin(p, from, e);
	case CHESS_POLICY_KIND_RANDOM:
		return draw_task(p, &p->choosable);
	case CHESS_POLICY_KIND_PCT:
	case CHESS_POLICY_KIND_POS:
		return highest(p);
	case CHESS_POLICY_KIND_SURW:
		return surw(p);
	case CHESS_POLICY_KIND_HOLD:
		return hold(p, e, from);
	case CHESS_POLICY_KIND_ORDER:
		return order(p, e, from);
	case CHESS_POLICY_KIND_PAIRS:
		return pairs(p, e, from);
	default:
		return from->usual;
	}
}

/* Where priorities say who goes on: are the timers above all others? */
static bool timer_is_highest(struct chess_policy *p)
{
	if (!p->timer)
		p->timer = p->kind == CHESS_POLICY_KIND_PCT ? PRIORITY_START | draw(p) : draw(p);
	if (p->choosable.count && p->tasks[highest(p)].priority >= p->timer)
		return false;
	p->timer = p->kind == CHESS_POLICY_KIND_PCT ? PRIORITY_YIELD - ++p->yields : draw(p);
	return true;
}

/* hold, order: nobody can go on but those that are held. Once, then one of them does. */
static bool all_are_held(const struct chess_policy *p)
{
	unsigned int id;

	if (!p->choosable.count || p->expired)
		return false;
	for (id = chess_set_next(&p->choosable, 0); id != CHESS_TASK_NONE;
	     id = chess_set_next(&p->choosable, id + 1))
		if (!is_held(p, id))
			return false;
	return true;
}

static bool draw_expiry(struct chess_policy *p)
{
	switch (p->kind) {
	case CHESS_POLICY_KIND_RANDOM:
	case CHESS_POLICY_KIND_SURW:
		return !draw_below(p, p->choosable.count + 1);
	case CHESS_POLICY_KIND_PCT:
	case CHESS_POLICY_KIND_POS:
	case CHESS_POLICY_KIND_PAIRS:
		return timer_is_highest(p);
	case CHESS_POLICY_KIND_HOLD:
	case CHESS_POLICY_KIND_ORDER:
		return all_are_held(p);
	default:
		return false;
	}
}

static void add_all(struct chess_set *to, const struct chess_set *from)
{
	unsigned int id;

	for (id = chess_set_next(from, 0); id != CHESS_TASK_NONE;
	     id = chess_set_next(from, id + 1))
		chess_set_add(to, id);
}

/**
 * chess_policy_expires() - do timers go off before their time
 * @p: the policy; not the default one
 * @e: what the decision is about
 * @enabled: who may go on
 * @timed: tasks that wait with a deadline
 *
 * Asked before chess_policy_decide(), where timers are armed and the prefix has ended; if
 * they do, again once they have.
 *
 * Context: any.
 * Return: whether those that are due first do.
 */
bool chess_policy_expires(struct chess_policy *p, const struct chess_event *e,
			  const struct chess_set *enabled, const struct chess_set *timed)
{
	if (!p->reached)
		reach(p, e);
	p->reached = true;
	if (p->expiries >= CHESS_POLICY_EXPIRIES)
		return false;
	p->choosable = *enabled;
	if (p->kind != CHESS_POLICY_KIND_HOLD && p->kind != CHESS_POLICY_KIND_ORDER)
		add_all(&p->choosable, timed);
	if (gives_way(e) && p->choosable.count > 1)
		chess_set_remove(&p->choosable, e->task);
	if (!draw_expiry(p))
		return false;
	p->expiries++;
	p->expired = true;
	return true;
}

/**
 * chess_policy_decide() - who goes on
 * @p: the policy; not the default one
 * @e: what the decision is about; of the flags only those that are known before it
 * @from: what there is to choose from
 *
 * Called once for each decision about the token at which somebody goes on, in the
 * order of the record, those of the prefix included: where it ends the policy is as
 * if it had decided so.
 *
 * Context: any.
 * Return: task id.
 */
unsigned int chess_policy_decide(struct chess_policy *p, const struct chess_event *e,
				 const struct chess_policy_choice *from)
{
	unsigned int chosen = from->forced;

	if (!p->reached)
		reach(p, e);
	p->reached = false;
	p->choosable = *from->enabled;
	add_all(&p->choosable, from->timed);
	if (gives_way(e))
		yield(p, e->task);
	if (chosen == CHESS_TASK_NONE)
		chosen = choose(p, e, from);
	go(p, chosen, chess_set_has(from->timed, chosen));
	return chosen;
}

/**
 * chess_policy_signal() - which thread takes a signal
 * @p: the policy
 * @takers: ids of those who may, as bits; not zero
 * @usual: what the default policy chooses
 *
 * Context: any.
 * Return: id of one of them.
 */
unsigned int chess_policy_signal(struct chess_policy *p, __u64 takers, unsigned int usual)
{
	unsigned int n = 0;
	__u64 left;

	if (p->kind <= CHESS_POLICY_KIND_ROUND_ROBIN || p->kind == CHESS_POLICY_KIND_HOLD ||
	    p->kind == CHESS_POLICY_KIND_ORDER)
		return usual;
	for (left = takers; left; left &= left - 1)
		n++;
	for (n = draw_below(p, n); n; n--)
		takers &= takers - 1;
	return __builtin_ctzll(takers);
}
