// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See dpor.h. A run is read as steps: what the chosen task does between two decisions. Vector
 * clocks (happens.c) show which steps are ordered. Two steps of two tasks race when they depend
 * on each other and no step is ordered between them: then another schedule may take them in the
 * other order. It begins like this run up to the first of the two; there it takes a task whose
 * step is needed for the second one and is ordered after nothing that is not yet done.
 *
 * Steps do not show what is decided where the fair scheduler, timers and deadlines matter, which
 * waiter is woken, how a wait ends and which task takes a signal: there all ways are taken.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "mix.h"
#include "record/decision.h"
#include "search/awaits.h"
#include "search/dpor.h"
#include "search/forks.h"
#include "search/happens.h"
#include "search/nodes.h"

/**
 * struct chess_race - two steps whose order is to be reversed, in a bounded search
 * @second: the later one
 * @taken: where the lock was taken that @second waits for, and that the earlier one gives back; the
 *	earlier one itself if that is not so
 */
struct chess_race {
	size_t second, taken;
};

/* The name of the first decision's node. */
#define ROOT	CHESS_HASH_START

/**
 * struct chess_dpor - reduction of one search
 * @bounded: schedules have a bound of preemptions
 * @nodes: the ways taken so far
 * @run: steps of the run being read
 * @node: by decision: the node at which it is made
 * @room: of @node
 * @asleep: by step: the tasks that sleep before it
 * @ways: those found in that run, @n of them
 * @cause: of ways that are being taken
 * @first: the steps that are being reversed
 * @second: the later one
 */
struct chess_dpor {
	bool bounded;
	struct chess_nodes nodes;
	struct chess_happens run;
	uint64_t *node;
	size_t room;
	uint64_t *asleep;
	size_t asleep_room;
	struct chess_dpor_way *ways;
	size_t n, ways_room;
	enum chess_branch_cause cause;
	uint32_t first, second;
};

/**
 * chess_dpor_new() - a reduction for a search
 * @bounded: schedules have a bound of preemptions
 * @accesses: accesses to memory are points
 *
 * Return: it, or NULL and errno with a sentence.
 */
struct chess_dpor *chess_dpor_new(bool bounded, bool accesses)
{
	struct chess_dpor *d = calloc(1, sizeof(*d));

	if (!d) {
		chess_set_error(ENOMEM, "no memory for a reduction");
		return NULL;
	}
	d->bounded = bounded;
	d->run.bounded = bounded;
	chess_depend_init(&d->run.depend, accesses);
	return d;
}

void chess_dpor_free(struct chess_dpor *d)
{
	if (!d)
		return;
	chess_nodes_clear(&d->nodes);
	chess_happens_free(&d->run);
	free(d->node);
	free(d->asleep);
	free(d->ways);
	free(d);
}

/* The node at which each decision is made. */
static int name_nodes(struct chess_dpor *d)
{
	const struct chess_record *r = d->run.record;
	size_t i, at = 0, length = chess_record_length(r);
	uint64_t name = ROOT;

	if (chess_array_room(&d->node, &d->room, d->run.decisions + 1, sizeof(*d->node)))
		return chess_set_error(ENOMEM, "no memory for the nodes of a run");
	for (i = 0; i < length; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (!chess_event_decides(e))
			continue;
		d->node[at++] = name;
		name = chess_mix(name, (uint64_t)e->chosen + 1);
		name |= !name;
	}
	return 0;
}

/*
 * Can @task run in place of the chosen one at decision @i? Fairness is there for tasks that yield
 * again and again. Where loops that wait are the only ones, and are not chosen while they wait, it
 * need not hold any task back: a prefix may choose it.
 */
static bool may(const struct chess_dpor *d, size_t i, uint16_t task)
{
	const struct chess_record *r = d->run.record;
	const struct chess_event *e = chess_record_event(r, i);

	return chess_forks_may(r, i, task) ||
	       (d->run.awaits && e->chosen != task && chess_record_enabled(r, i, task));
}

/* Another way at decision @at, which is event @i. Return: 0, -ENOMEM. */
static int take(struct chess_dpor *d, uint32_t at, size_t i, uint16_t way)
{
	const struct chess_event *e = chess_record_event(d->run.record, i);
	int ret;

	if (way != CHESS_TASK_TIMER && !may(d, i, way))
		return 0;
	ret = chess_nodes_add(&d->nodes, d->node[at], e->chosen, way);
	if (ret <= 0)
		return ret;
	if (chess_array_room(&d->ways, &d->ways_room, d->n + 1, sizeof(*d->ways)))
		return chess_set_error(ENOMEM, "no memory for the forks of a run");
	d->ways[d->n++] = (struct chess_dpor_way){
		.at = at, .way = way, .cause = d->cause, .first = d->first,
		.second = d->second,
	};
	return 0;
}

/*
 * For what no step shows: all ways at a decision that is not at a point, a block or the end of
 * a task; at those, the deadlines and timers that could pass early.
 */
static int take_all(struct chess_dpor *d, uint32_t at, size_t i)
{
	const struct chess_record *r = d->run.record;
	const struct chess_event *e = chess_record_event(r, i);
	size_t t, ways = chess_forks_ways(r, i);
	bool all = e->type != CHESS_EVENT_POINT && e->type != CHESS_EVENT_BLOCK &&
		   e->type != CHESS_EVENT_EXIT;
	int ret = 0;

	for (t = 0; t < ways && !ret; t++)
		if (all || chess_record_timed(r, i, t))
			ret = take(d, at, i, t);
	if (!ret && chess_record_may_expire(r, i))
		ret = take(d, at, i, CHESS_TASK_TIMER);
	return ret;
}

/* The task that should run cannot run there, so all that can have to. */
static int take_any(struct chess_dpor *d, uint32_t at, size_t i)
{
	size_t t;
	int ret = 0;

	for (t = 0; t < d->run.tasks && !ret; t++)
		ret = take(d, at, i, t);
	return ret;
}

/*
 * The run continued with a sleeper at step @i: tasks that do not sleep run there instead.
 * Without a bound one of them is enough, as at any other node.
 */
static int take_awake(struct chess_dpor *d, size_t i)
{
	const struct chess_step *s = &d->run.step[i];
	const struct chess_node *n;
	size_t t, k;
	int ret = 0;

	n = chess_nodes_find(&d->nodes, d->node[s->decision]);
	for (k = 0; n && !d->bounded && k < n->n; k++)
		if (!(d->asleep[i] >> n->way[k] & 1))
			return 0;
	for (t = 0; t < d->run.tasks && !ret; t++) {
		size_t had = d->n;

		if (!(d->asleep[i] >> t & 1))
			ret = take(d, s->decision, s->event, t);
		if (!d->bounded && d->n > had)
			break;
	}
	return ret;
}

static bool has(const struct chess_node *n, uint16_t way)
{
	size_t i;

	for (i = 0; n && i < n->n; i++)
		if (n->way[i] == way)
			return true;
	return false;
}

/* Does @task sleep before step @i? */
static bool sleeps(const struct chess_dpor *d, size_t i, size_t task)
{
	return task < 64 && d->asleep[i] >> task & 1;
}

/* Was @t taken before @chosen at this node? */
static bool taken_before(const struct chess_node *n, uint16_t t, uint16_t chosen)
{
	size_t i;

	for (i = 0; n && i < n->n && n->way[i] != chosen; i++)
		if (n->way[i] == t)
			return true;
	return false;
}

/*
 * Tasks that could have run in place of step @s and with which other schedules begin, each
 * with no more preemptions than this one.
 */
static uint64_t fall_asleep(const struct chess_dpor *d, const struct chess_step *s)
{
	const struct chess_happens *h = &d->run;
	const struct chess_event *e = chess_record_event(h->record, s->event);
	const struct chess_node *n = chess_nodes_find(&d->nodes, d->node[s->decision]);
	uint64_t asleep = 0;
	size_t t;

	for (t = 0; n && t < h->tasks; t++) {
		if (t == s->task || !chess_record_allowed(h->record, s->event, t) ||
		    (d->bounded && (e->type != CHESS_EVENT_POINT || t != e->task)))
			continue;
		if (taken_before(n, t, s->task))
			asleep |= 1ULL << t;
	}
	return asleep;
}

/* Those of @asleep that step @i does not wake. */
static uint64_t sleep_on(const struct chess_happens *h, uint64_t asleep, size_t i)
{
	size_t t, next;

	for (t = 0; asleep && t < h->tasks; t++) {
		if (!(asleep >> t & 1))
			continue;
		next = chess_happens_next(h, t, i);
		if (next == SIZE_MAX || chess_ops_depend(&h->step[i].op, &h->step[next].op))
			asleep &= ~(1ULL << t);
	}
	return asleep;
}

/* A loop that waits gives way as a task does that blocks, but with a bound that is free. */
static bool gives_way(const struct chess_dpor *d, const struct chess_event *e)
{
	return chess_event_gives_way(e) && (d->bounded || !d->run.awaits);
}

/* At such decisions more than the order of ops depends on what is chosen. */
static bool wakes_all(const struct chess_dpor *d, size_t i)
{
	const struct chess_step *s = &d->run.step[i];
	const struct chess_event *e = chess_record_event(d->run.record, s->event);

	if (i >= d->run.yields || gives_way(d, e) ||
	    chess_record_is_expired(d->run.record, s->event))
		return true;
	/* Leaving it is free where it would wait, and might not be had a sleeper run. */
	return e->type == CHESS_EVENT_POINT &&
	       !chess_record_enabled(d->run.record, s->event, e->task);
}

/* Tasks whose next turn in a loop would be in vain before step @i. */
static uint64_t waiting(const struct chess_happens *h, size_t i)
{
	uint64_t tasks = 0;
	size_t t;

	for (t = 0; h->awaits && t < h->tasks; t++)
		tasks |= (uint64_t)chess_awaits_waits(h, t, i) << t;
	return tasks;
}

/* A further turn in vain may be taken out of the run if that makes it no more expensive. */
static bool is_left_out(const struct chess_dpor *d, size_t i)
{
	const struct chess_step *s = &d->run.step[i];

	return s->spent && s->idle && !chess_forks_preempts(d->run.record, s->event);
}

/*
 * Sleep sets (Godefroid, LNCS 1032). From the step of a sleeper on, the run shows nothing new. A
 * task sleeps as well while it waits in a loop.
 */
static int find_sleepers(struct chess_dpor *d, size_t prefix)
{
	struct chess_happens *h = &d->run;
	uint64_t asleep = 0;
	size_t i;

	if (chess_array_room(&d->asleep, &d->asleep_room, h->n + 1, sizeof(*d->asleep)))
		return chess_set_error(ENOMEM, "no memory for the sleep sets of a run");
	for (i = 0; i < h->done; i++) {
		if (h->tasks > 64 || (!h->step[i].missed && wakes_all(d, i)))
			asleep = 0;
		d->asleep[i] = asleep | waiting(h, i);
		if (h->step[i].missed)
			continue;
		if (h->step[i].decision + 1 >= prefix && sleeps(d, i, h->step[i].task) &&
		    !is_left_out(d, i)) {
			h->cut = i;
			return 0;
		}
		/* The prefix was chosen without that rule. */
		h->step[i].spent &= h->step[i].idle;
		if (h->tasks <= 64 && !wakes_all(d, i))
			asleep = sleep_on(h, asleep | fall_asleep(d, &h->step[i]), i);
	}
	return 0;
}

/*
 * Steps @first and @second race. Take a way at @first that leads to the other order: one that
 * begins what comes before @second and not after @first. One is enough, and none is needed if
 * such a way was taken already.
 */
static int reverse(struct chess_dpor *d, size_t first, size_t second)
{
	const struct chess_happens *h = &d->run;
	const struct chess_step *at = &h->step[first];
	const struct chess_node *node = chess_nodes_find(&d->nodes, d->node[at->decision]);
	size_t t, found = SIZE_MAX;

	for (t = 0; t < h->tasks; t++) {
		size_t y = chess_happens_next(h, t, first);

		if (t == at->task || y > second || h->step[y].spent ||
		    !chess_happens_begins(h, first, y))
			continue;
		if (has(node, t) || sleeps(d, first, t))
			return 0;
		if (found == SIZE_MAX && (y == second || chess_happens_before(h, y, second)))
			found = t;
	}
	if (found == SIZE_MAX)
		return 0;
	if (!may(d, at->event, found))
		return take_any(d, at->decision, at->event);
	return take(d, at->decision, at->event, found);
}

static bool works_on(const struct chess_op *op, uint32_t object)
{
	unsigned int i;

	if (op->kind == CHESS_OP_ON_ALL)
		return true;
	for (i = 0; i < op->n; i++)
		if (op->object[i] == object)
			return true;
	return false;
}

/*
 * A lock that is released at @first and taken at @second: trying for it earlier means waiting.
 * The other order is to take it before the task that released it had taken it.
 *
 * Return: the step that took it; @first if this is not such a lock, or if that is not clear.
 */
static size_t taken_at(const struct chess_happens *h, size_t first, size_t second)
{
	const struct chess_op *gives = &h->step[first].op, *wants = &h->step[second].op;
	size_t i;

	if (!gives->gives || !wants->owns || gives->kind != CHESS_OP_ON_OBJECTS ||
	    wants->kind != CHESS_OP_ON_OBJECTS || gives->lock != wants->lock)
		return first;
	for (i = first; i--;) {
		const struct chess_step *s = &h->step[i];

		if (s->task != h->step[first].task || !works_on(&s->op, gives->lock))
			continue;
		return s->op.owns && s->op.lock == gives->lock && !s->vain &&
		       s->op.kind == CHESS_OP_ON_OBJECTS ? i : first;
	}
	return first;
}

static int reverse_race(void *dpor, size_t first, size_t second)
{
	struct chess_dpor *d = dpor;
	size_t taken = taken_at(&d->run, first, second);
	int ret = 0;

	d->first = first;
	d->second = second;
	/* A signal may come while it waits. */
	if (taken != first && chess_depend_signalled(&d->run.depend, d->run.step[second].task))
		ret = reverse(d, first, second);
	return ret ? ret : reverse(d, taken, second);
}

/* @task runs in place of step @first, unless it sleeps there. */
static int go_first(struct chess_dpor *d, size_t first, size_t task)
{
	const struct chess_step *at = &d->run.step[first];

	if (task == at->task || sleeps(d, first, task))
		return 0;
	if (!may(d, at->event, task))
		return take_any(d, at->decision, at->event);
	return take(d, at->decision, at->event, task);
}

/*
 * From the step after @race->taken up to the earlier step of the race, a task has the lock that the
 * second one takes. To choose a task whose next step is to try for that lock leads to nothing new:
 * what runs after its attempt can run in its place. Not so where the attempt counts for fairness,
 * where a signal may come while it waits, or where time may pass once all tasks wait.
 */
static bool waits_for_it(const struct chess_dpor *d, const struct chess_race *race, size_t at,
			 size_t task)
{
	const struct chess_happens *h = &d->run;
	size_t event = h->step[at].event, next = chess_happens_next(h, task, at);
	const struct chess_op *op = next == SIZE_MAX ? NULL : &h->step[next].op;

	if (at <= race->taken || !op || !op->owns || op->lock != h->step[race->second].op.lock ||
	    chess_depend_signalled(&h->depend, task))
		return false;
	return at < h->yields && !chess_record_event(h->record, event)->timed &&
	       !chess_record_may_expire(h->record, event);
}

/*
 * With a bound all ways are taken that begin what comes before the second step and not after step
 * @first.
 */
static int begin_bounded(struct chess_dpor *d, const struct chess_race *race, size_t first)
{
	const struct chess_happens *h = &d->run;
	size_t t, second = race->second;
	int ret = 0;

	if (chess_happens_ready(h) <= first && !waits_for_it(d, race, first, h->step[second].task))
		ret = go_first(d, first, h->step[second].task);
	for (t = 0; t < h->tasks && !ret; t++) {
		size_t y = chess_happens_next(h, t, first);

		if (y < second && chess_happens_before(h, y, second) &&
		    chess_happens_begins(h, first, y) && !waits_for_it(d, race, first, t))
			ret = go_first(d, first, t);
	}
	return ret;
}

/* To run before the task of @first began may cost less than to interrupt that task. */
static int begin_earlier(struct chess_dpor *d, const struct chess_race *race, size_t first)
{
	const struct chess_happens *h = &d->run;
	size_t start = first, ready = chess_happens_ready(h), i;
	int ret = begin_bounded(d, race, first);

	for (i = first; i && (h->step[i - 1].missed || h->step[i - 1].task == h->step[first].task);
	     i--) {
		if (h->step[i - 1].missed)
			continue;
		start = i - 1;
		/* Where a timer went off early, and where the task yields, leaving it is free. */
		if (!ret && !chess_forks_preempts(h->record, h->step[start].event))
			ret = begin_bounded(d, race, start);
	}
	if (!ret && start != first)
		ret = begin_bounded(d, race, start);
	if (!ret && start < ready && ready < first)
		ret = begin_bounded(d, race, ready);
	return ret;
}

/* The same for a bounded search. */
static int reverse_bounded(void *dpor, size_t first, size_t second)
{
	struct chess_dpor *d = dpor;
	struct chess_race race = { .second = second, .taken = taken_at(&d->run, first, second) };
	int ret = 0;

	d->first = first;
	d->second = second;
	if (race.taken != first)
		ret = begin_earlier(d, &race, race.taken);
	return ret ? ret : begin_earlier(d, &race, first);
}

/*
 * A task that could run when it was killed, or when the run ended: what it would have done is not
 * known, and it may depend on any step since the last one of its own. Without a bound it is enough
 * to have what ended it and the task's next step in both orders; what follows is then seen in those
 * runs. With a bound that may cost too much, so the task runs first wherever it could.
 */
static int reverse_unseen(struct chess_dpor *d, size_t pending)
{
	const struct chess_happens *h = &d->run;
	const struct chess_step *p = &h->step[pending];
	size_t i;
	int ret = 0;

	if (p->spent)
		return 0;
	for (i = pending < h->done ? pending : h->done;
	     i-- && h->step[i].task != p->task && i != p->waker && !ret;)
		if (!h->step[i].missed && !sleeps(d, i, p->task))
			ret = take(d, h->step[i].decision, h->step[i].event, p->task);
	return ret;
}

static int by_decision(const void *a, const void *b)
{
	const struct chess_dpor_way *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->way < y->way ? -1 : x->way > y->way;
}

/**
 * chess_dpor_find() - the ways that a run shows to be needed
 * @d: the reduction
 * @r: a record
 * @prefix: the number of decisions of the plan; another run that began with all but the last
 *	of them was read before
 * @ways: in the order of decisions, each for the first time; until the next call
 * @n: how many
 *
 * Return: 0 or negative errno with chess_error().
 */
int chess_dpor_find(struct chess_dpor *d, const struct chess_record *r, size_t prefix,
		    const struct chess_dpor_way **ways, size_t *n)
{
	size_t i, at = 0, length = chess_record_length(r);
	int ret = chess_happens_read(&d->run, r);

	d->n = 0;
	d->cause = CHESS_BRANCH_CHOICE;
	if (!ret)
		ret = name_nodes(d);
	if (!ret)
		ret = find_sleepers(d, prefix);
	for (i = 0; i < length && !ret; i++) {
		if (!chess_event_decides(chess_record_event(r, i)))
			continue;
		if (at >= prefix && (d->run.cut == SIZE_MAX || i < d->run.step[d->run.cut].event))
			ret = take_all(d, at, i);
		at++;
	}
	d->cause = CHESS_BRANCH_ASLEEP;
	if (!ret && d->run.cut != SIZE_MAX)
		ret = take_awake(d, d->run.cut);
	d->cause = CHESS_BRANCH_END;
	for (i = 0; d->bounded && i < d->run.n && i < d->run.cut && !ret; i++)
		if (d->run.step[i].missed || (i >= d->run.done && d->run.cut == SIZE_MAX))
			ret = reverse_unseen(d, i);
	d->cause = CHESS_BRANCH_ORDER;
	if (!ret && d->bounded)
		ret = chess_happens_conflicts(&d->run, prefix ? prefix - 1 : 0, reverse_bounded, d);
	else if (!ret)
		ret = chess_happens_races(&d->run, prefix ? prefix - 1 : 0, reverse_race, d);
	if (ret)
		return ret;
	qsort(d->ways, d->n, sizeof(*d->ways), by_decision);
	*ways = d->ways;
	*n = d->n;
	return 0;
}

/* The point of a step, an index; CHESS_NO_EVENT: its task began there. */
static size_t point_of(const struct chess_happens *h, uint32_t step)
{
	const struct chess_step *s = &h->step[step];
	size_t i = s->event == SIZE_MAX ? chess_record_length(h->record) : s->event + 1;

	while (i--) {
		const struct chess_event *e = chess_record_event(h->record, i);

		if (e->type == CHESS_EVENT_POINT && e->task == s->task)
			return i;
	}
	return CHESS_NO_EVENT;
}

/**
 * chess_dpor_why() - what a way is taken for
 * @d: the reduction
 * @w: one that the last chess_dpor_find() gave
 *
 * Return: the ops that come in the other order.
 */
struct chess_branch chess_dpor_why(const struct chess_dpor *d, const struct chess_dpor_way *w)
{
	const struct chess_happens *h = &d->run;

	if (w->cause != CHESS_BRANCH_ORDER)
		return (struct chess_branch){ .record = h->record, .cause = w->cause };
	return (struct chess_branch){
		.record = h->record, .cause = w->cause,
		.first = point_of(h, w->first), .second = point_of(h, w->second),
		.first_on_all = h->step[w->first].op.kind == CHESS_OP_ON_ALL,
		.second_on_all = h->step[w->second].op.kind == CHESS_OP_ON_ALL,
	};
}

/**
 * chess_dpor_share() - how much is known of what depends on what?
 * @d: the reduction
 *
 * Return: which part of the steps of the run that was read last depends on everything, 0 to 1.
 */
double chess_dpor_share(const struct chess_dpor *d)
{
	size_t i, n = 0;

	for (i = 0; i < d->run.done; i++)
		n += d->run.step[i].op.kind == CHESS_OP_ON_ALL;
	return d->run.done ? (double)n / d->run.done : 0;
}

/**
 * chess_dpor_flaw() - a sign that the reduction is wrong
 * @d: the reduction
 *
 * Return: NULL, or a sentence owned by @d: schedules may be missing.
 */
const char *chess_dpor_flaw(const struct chess_dpor *d)
{
	return d->run.flaw;
}
