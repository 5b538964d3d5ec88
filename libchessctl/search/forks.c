// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See forks.h. The schedules of a program form a tree. A run under a prefix walks one
 * branch to its leaf: after the prefix the policy decides, and that costs nothing.
 * Each decision after the prefix where another way could be taken is a fork of the
 * tree: the decisions before it and one of those ways make a new prefix. Decisions
 * inside the prefix are not examined again, since the run from which the prefix comes did
 * that; so every schedule is run once. A new prefix costs what its source cost plus the cost
 * of the way it takes, so it belongs to the current level or to a later one.
 *
 * The order is always the same while one plan is out. Within a level (worklist.h) preemptions
 * that are not likely to matter come last (conflicts.h). Otherwise prefixes with the fewest free
 * choices come first; among these the forks of the oldest run, of a run the
 * earliest decision, of a decision the first way. This search takes turns with one that is depth
 * first in the same level: the latest fork of the latest run, of a fork the last way. Where ways
 * cost nothing, and where more prefixes wait than should take up memory, all is depth first.
 * With several plans out the order depends on which run is ready first, but the contents of a
 * level do not: a level is left when it is empty and all of its plans are back.
 *
 * Memory is what limits a long search: later levels are collected during the current one.
 * So forks are packed (queue.c), and the decisions of a run are kept once, run-length coded,
 * from where they differ from those of its source.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "search/aside.h"
#include "search/conflicts.h"
#include "search/dpor.h"
#include "search/forks.h"
#include "search/fresh.h"
#include "search/frontier.h"
#include "search/grow.h"
#include "internal.h"
#include "mix.h"
#include "search/ordered.h"
#include "search/reduce.h"
#include "search/states.h"
#include "search/trunk.h"
#include "race/racing.h"
#include "record/decision.h"
#include "search/worklist.h"

/*
 * A level with more forks than this in its rows is searched depth first, so that a level
 * without an end does not take memory without an end.
 */
#define ROWS_MAX	(1 << 20)

/**
 * struct chess_forks - one search
 * @rules: see there
 * @grow: how far beyond the bound of its rules it goes
 * @bound: the current level
 * @out: plans that are out; all of that level
 * @started: the empty prefix was handed out
 * @waiting: prefixes
 * @runs: runs that were reported, @made of them not predicted
 * @weight: of their leaves
 * @whole: of all that it is to run; one, unless it is a part of a search
 * @ways: ways that those runs showed to be needed
 * @fresh: forks of the current record
 * @reduce: ways that need not be taken, or NULL; with @dpor it only detects flaws
 * @states: where the search has been, if it reduces by states, or NULL
 * @dpor: ways that runs show to be needed, if it takes only these, or NULL
 * @row: free choices in the prefix of the current record
 * @at: number of the current decision
 * @event: its index in @record
 * @print: fingerprint of the record up to there
 * @before: and up to the decision before it
 * @left_out: whether there is to be no preemption at the current decision
 * @last: ways there come last in their level (conflicts.h)
 * @object: else, if not zero: ways there are put aside, for this object is ordered
 * @ordered: what is known of objects; NULL: not used
 * @conflicts: which ops conflict, as far as runs have shown
 * @aside: forks that are not run unless their object turns out to be raced for
 * @out_of_scope: ways that were left out
 */
struct chess_forks {
	struct chess_forks_rules rules;
	struct chess_grow grow;
	unsigned int bound;
	unsigned int out;
	bool started;
	struct chess_worklist *waiting;
	uint64_t runs, made;
	double weight, whole, ways;
	struct chess_fresh fresh;
	struct chess_reduce *reduce;
	struct chess_states *states;
	struct chess_dpor *dpor;
	unsigned int row;
	uint32_t at;
	size_t event;
	const struct chess_record *record;
	uint64_t print;
	uint64_t before;
	bool left_out, last;
	uint64_t object;
	struct chess_ordered *ordered;
	struct chess_conflicts conflicts;
	struct chess_aside aside;
	uint64_t out_of_scope;
};

/**
 * chess_forks_new() - start a search
 * @rules: what the strategy adds; copied
 *
 * Return: it, or NULL and errno with a sentence.
 */
struct chess_forks *chess_forks_new(const struct chess_forks_rules *rules)
{
	bool accesses = chess_racing_has_points(rules->o->racing);
	struct chess_forks *f = calloc(1, sizeof(*f));

	if (!f) {
		chess_set_error(ENOMEM, "no memory for a search");
		return NULL;
	}
	f->rules = *rules;
	f->whole = 1;
	f->grow = chess_grow_new(rules->max, rules->o->grow_runs);
	if (rules->o->skip_ordered)
		f->ordered = chess_ordered_new();
	if (rules->o->reduce == CHESS_REDUCE_STATE)
		f->states = chess_states_new(rules->costs);
	else if (rules->o->reduce)
		f->reduce = chess_reduce_new(rules->o->reduce == CHESS_REDUCE_DPOR ?
					     CHESS_REDUCE_HB : rules->o->reduce, rules->costs,
					     accesses);
	if (rules->o->reduce == CHESS_REDUCE_DPOR)
		f->dpor = chess_dpor_new(rules->costs != CHESS_REDUCE_COSTS_NOTHING, accesses);
	f->waiting = chess_worklist_new();
	if (f->waiting && (!rules->o->skip_ordered || f->ordered) &&
	    (!rules->o->reduce || f->reduce || f->states) &&
	    (rules->o->reduce != CHESS_REDUCE_DPOR || f->dpor))
		return f;
	chess_forks_free(f);
	return NULL;
}

/**
 * chess_forks_free() - end of a search
 * @forks: it; all plans are back
 */
void chess_forks_free(void *forks)
{
	struct chess_forks *f = forks;

	if (!f)
		return;
	chess_fresh_clear(&f->fresh);
	chess_worklist_free(f->waiting);
	chess_ordered_free(f->ordered);
	chess_conflicts_clear(&f->conflicts);
	chess_aside_clear(&f->aside);
	chess_reduce_free(f->reduce);
	chess_states_free(f->states);
	chess_dpor_free(f->dpor);
	free(f);
}

static int make_prefix(const struct chess_waiting *t, struct chess_plan *plan)
{
	int ret;

	plan->prefix = chess_schedule_new();
	if (!plan->prefix)
		return -ENOMEM;
	if (!t->source)
		return 0;
	ret = chess_trunk_decisions(t->source, t->fork.at, plan->prefix);
	if (!ret)
		ret = chess_schedule_push(plan->prefix, t->fork.task);
	plan->length = chess_schedule_length(plan->prefix);
	return ret;
}

/**
 * chess_forks_next() - the next prefix
 * @forks: the search
 * @plan: all zero; filled in
 *
 * Return: 1; 0 when none is left; -EAGAIN while plans that are out may lead to more;
 * negative errno.
 */
int chess_forks_next(void *forks, struct chess_plan *plan)
{
	struct chess_forks *f = forks;
	struct chess_waiting *t = calloc(1, sizeof(*t));
	int ret;

	if (!t)
		return chess_set_error(ENOMEM, "no memory for a plan");
	if (!f->started)
		t->fork.weight = 1;
	else if (!chess_worklist_take(f->waiting, f->bound, t) &&
		 (f->out || !chess_grow_up(&f->grow, f->waiting, f->made, &f->bound) ||
		  !chess_worklist_take(f->waiting, f->bound, t))) {
		free(t);
		return f->out ? -EAGAIN : 0;
	}
	f->started = true;
	f->out++;
	plan->ticket = t;
	plan->policy = f->rules.policy;
	ret = make_prefix(t, plan);
	if (ret)
		chess_forks_done(f, plan);
	return ret ? ret : 1;
}

/**
 * chess_forks_begin() - begin where another search has ended
 * @forks: a search that has not begun
 * @from: the prefixes that are left to it
 *
 * Return: 0, or a negative errno with chess_error().
 */
int chess_forks_begin(void *forks, const struct chess_frontier *from)
{
	struct chess_forks *f = forks;
	struct chess_waiting t;
	unsigned int level;
	int ret = 0;
	size_t i;

	if (chess_frontier_is_root(from))
		return 0;
	f->started = true;
	f->whole = chess_frontier_weight(from);
	f->bound = chess_frontier_level(from);
	for (i = 0; !ret && chess_frontier_get(from, i, &level, &t); i++) {
		if (level > f->grow.max)
			return chess_set_error(EBADMSG, "a prefix has %u preemptions, and the bound is %u",
					       level, f->grow.max);
		ret = chess_worklist_push(f->waiting, level, t.row, t.fork.last, t.source, &t.fork,
					  1);
	}
	return ret;
}

/**
 * chess_forks_back() - a plan was not run, so its prefix waits again
 * @forks: the search
 * @plan: from chess_forks_next(); chess_forks_done() comes next
 *
 * Return: 0 or -ENOMEM with chess_error().
 */
int chess_forks_back(void *forks, const struct chess_plan *plan)
{
	struct chess_forks *f = forks;
	const struct chess_waiting *t = plan->ticket;

	if (t->source)
		return chess_worklist_push(f->waiting, f->bound, t->row, t->fork.last, t->source,
					   &t->fork, 1);
	f->started = false;
	return 0;
}

/**
 * chess_forks_leave() - what another search is to go on with
 * @forks: the search, which has ended
 * @to: empty; gets all prefixes that wait
 *
 * Return: 0 or -ENOMEM with chess_error().
 */
int chess_forks_leave(void *forks, struct chess_frontier *to)
{
	struct chess_forks *f = forks;

	if (f->started)
		return chess_worklist_leave(f->waiting, f->bound, to);
	chess_frontier_set_root(to);
	return 0;
}

/* How many prefixes wait? */
uint64_t chess_forks_waiting(const void *forks)
{
	return chess_worklist_count(((const struct chess_forks *)forks)->waiting);
}

/**
 * chess_forks_on_all() - steps that depend on everything
 * @forks: a search with dynamic partial orders
 *
 * Return: their share in the run that was reported last, 0 to 1.
 */
double chess_forks_on_all(const void *forks)
{
	return chess_dpor_share(((const struct chess_forks *)forks)->dpor);
}

/**
 * chess_forks_is_over() - would a search with dynamic partial orders find nothing more?
 * @forks: the search
 *
 * Return: whether it has run all that is to be run, and its bound has kept nothing out.
 */
bool chess_forks_is_over(const void *forks)
{
	const struct chess_forks *f = forks;

	return f->started && !f->out && !chess_worklist_count(f->waiting) && !f->grow.cut;
}

/**
 * chess_forks_peek() - a prefix that will be handed out
 * @forks: the search, which has begun
 * @k: how many others come before it
 * @plan: all zero; filled in
 *
 * Return: 1; 0 when fewer wait; negative errno.
 */
int chess_forks_peek(void *forks, size_t k, struct chess_plan *plan)
{
	struct chess_forks *f = forks;
	struct chess_waiting t;
	int ret;

	if (!chess_worklist_peek(f->waiting, k, &t))
		return 0;
	plan->policy = f->rules.policy;
	ret = make_prefix(&t, plan);
	return ret ? ret : 1;
}

/**
 * chess_forks_done() - a plan is not run any more
 * @forks: the search
 * @plan: from chess_forks_next()
 */
void chess_forks_done(void *forks, struct chess_plan *plan)
{
	struct chess_forks *f = forks;
	struct chess_waiting *t = plan->ticket;

	chess_trunk_put(t->source);
	free(t);
	chess_schedule_free(plan->prefix);
	memset(plan, 0, sizeof(*plan));
	f->out--;
}

/*
 * What must be equal when a prefix is followed again. Not addresses and objects: a
 * pid or a pointer that a program got from outside may differ without any effect on
 * which tasks can run. Not what was chosen, nor whether this was a deadline before its time:
 * at the fork those differ.
 */
static uint64_t print_event(uint64_t print, const struct chess_event *e)
{
	const uint64_t words[] = {
		e->type | e->op << 8 | (e->flags & ~CHESS_OPF_EARLY) << 16 |
			(uint64_t)e->task << 24,
		e->nr, e->enabled, e->timed,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		print = chess_mix(print, words[i]);
	return print;
}

/* The same where timers go off first, which is a separate event. */
static uint64_t print_expiry(uint64_t print, const struct chess_event *e)
{
	return print_event(print, &(struct chess_event){
		.type = CHESS_EVENT_EXPIRE, .task = e->task, .enabled = e->enabled,
		.timed = e->timed,
	});
}

/* The part of it that a fork keeps. */
static uint64_t short_print(uint64_t print)
{
	return print >> (64 - PRINT_BITS);
}

/**
 * chess_forks_push() - another way at the current decision
 * @f: the search
 * @task: the task that runs instead
 * @cost: what that costs
 *
 * Return: 0 or negative errno.
 */
int chess_forks_push(struct chess_forks *f, uint16_t task, unsigned int cost)
{
	const struct chess_event *e = chess_record_event(f->record, f->event);
	bool timer = task == CHESS_TASK_TIMER;
	const struct fork fork = {
		.at = f->at, .task = task, .last = f->last,
		.print = short_print(timer ? print_expiry(f->before, e) : f->print),
	};
	int ret;

	if (cost > f->grow.max - f->bound)
		return 0;
	/* After the prefix the default was chosen: any other deadline is before its time. */
	if (f->rules.o->no_early && (timer || chess_record_timed(f->record, f->event, task)))
		return 0;
	if (f->left_out) {
		f->out_of_scope++;
		return 0;
	}
	if (f->reduce && !timer) {
		ret = chess_reduce_wants(f->reduce, f->event, task, f->bound + cost);
		if (ret <= 0)
			return ret;
	}
	if (f->object)
		return chess_aside_add(&f->aside, f->object, f->bound + cost, f->row + !cost,
				       &fork);
	return chess_fresh_push(&f->fresh, cost, &fork);
}

/* Is another way at the current decision a preemption? */
static bool preempts_here(const struct chess_forks *f, const struct chess_record *r)
{
	const struct chess_event *e = chess_record_event(r, f->event);

	return e->type == CHESS_EVENT_POINT && e->chosen == e->task &&
	       !chess_event_gives_way(e) && chess_forks_preempts(r, f->event);
}

/* Is a preemption there not likely to matter? */
static bool comes_last(struct chess_forks *f, const struct chess_record *r)
{
	return f->rules.costs != CHESS_REDUCE_COSTS_NOTHING &&
	       !chess_conflicts_first(&f->conflicts, r, f->event);
}

/* Is another way at the current decision a preemption that is left out or put aside? */
static void look_for_scope(struct chess_forks *f, const struct chess_record *r)
{
	const struct chess_explore_opts *o = f->rules.o;
	const struct chess_event *e = chess_record_event(r, f->event);
	bool preempts = preempts_here(f, r);

	f->left_out = preempts && o->in_scope && !o->in_scope(o->scope_arg, r, f->event);
	f->last = preempts && comes_last(f, r);
	f->object = preempts && f->ordered && chess_ordered_has(f->ordered, e) ? e->object : 0;
}

/* What @r shows of objects: forks put aside for an object that is raced for come back. */
static int learn(struct chess_forks *f, const struct chess_record *r)
{
	struct chess_aside *a = &f->aside;
	size_t i, kept = 0;
	int ret = chess_ordered_learn(f->ordered, r);

	if (ret <= 0)
		return ret;
	for (i = 0, ret = 0; i < a->n; i++) {
		struct chess_aside_fork *at = &a->fork[i];

		if (ret || chess_ordered_still(f->ordered, at->object)) {
			a->fork[kept++] = *at;
			continue;
		}
		ret = chess_worklist_push(f->waiting, at->level, at->row, false, at->trunk,
					  &at->fork, 1);
		chess_trunk_put(at->trunk);
	}
	a->n = kept;
	a->kept = kept;
	return ret;
}

/* The chosen task runs. Return: 1 when the rest of the run is found elsewhere, -errno. */
static int step(struct chess_forks *f, size_t behind, bool known)
{
	enum chess_reduce_where where = known ? CHESS_REDUCE_KNOWN : CHESS_REDUCE_AFTER;

	if (f->states)
		return chess_states_step(f->states, f->event, f->at + 1 >= behind);
	if (!f->reduce)
		return 0;
	if (f->at < behind)
		where = f->at + 1 < behind ? CHESS_REDUCE_PREFIX : CHESS_REDUCE_FORK;
	if (!f->dpor)
		return chess_reduce_step(f->reduce, f->event, where, f->bound);
	/* What was known before is compared, but is not a reason to stop. */
	return chess_reduce_step(f->reduce, f->event, CHESS_REDUCE_AFTER, 0) < 0 ? -ENOMEM : 0;
}

/*
 * The forks of the current decision, which is after the prefix. Return: 0; 1: they and what
 * follows are found elsewhere; -errno.
 */
static int look_here(struct chess_forks *f, const struct chess_record *r)
{
	const struct chess_event *e = chess_record_event(r, f->event);
	int ret;

	/* Most often there was no other task. */
	if (chess_record_tasks(r) <= 64 && !((e->enabled | e->timed) & ~(1ULL << e->chosen)) &&
	    !chess_record_may_expire(r, f->event))
		return 0;
	ret = f->states ? chess_states_visit(f->states) : 0;
	if (ret)
		return ret;
	look_for_scope(f, r);
	return f->rules.look(f, r, f->event, f->grow.max - f->bound);
}

/* Process the current event, and what it shows of where the run is. */
static int read_event(struct chess_forks *f, const struct chess_record *r)
{
	if (f->reduce)
		return chess_reduce_read(f->reduce, f->event);
	if (!f->states)
		return 0;
	chess_states_read(f->states, f->event);
	return chess_event_decides(chess_record_event(r, f->event)) ?
	       chess_states_arrive(f->states, f->event) : 0;
}

static int begin_run(struct chess_forks *f, const struct chess_record *r)
{
	if (f->states)
		return chess_states_begin(f->states, r);
	return f->reduce ? chess_reduce_begin(f->reduce, r) : 0;
}

/* The forks after the prefix. Return: 0, 1: not the run the prefix is from, -errno. */
static int look_at(struct chess_forks *f, const struct chess_waiting *t, size_t behind,
		   const struct chess_record *r)
{
	size_t length = chess_record_length(r);
	bool known = false;
	int ret = begin_run(f, r);

	f->record = r;
	f->at = 0;
	f->print = CHESS_HASH_START;
	for (f->event = 0; f->event < length && ret >= 0; f->event++) {
		const struct chess_event *e = chess_record_event(r, f->event);

		ret = read_event(f, r);
		if (ret < 0 || !chess_event_decides(e))
			continue;
		f->before = f->print;
		f->print = print_event(f->print, e);
		if (t->source && f->at == t->fork.at && short_print(f->print) != t->fork.print)
			return 1;
		if (f->at >= behind && !known && !f->dpor)
			ret = look_here(f, r);
		known |= ret > 0;
		if (ret >= 0)
			ret = step(f, behind, known);
		known |= ret > 0;
		/* Nothing more can be learned of states. */
		if (known && f->states)
			break;
		f->at++;
	}
	return ret < 0 ? ret : 0;
}

/* Those that come last go where they do not hold up the others. */
static int push_rows(struct chess_forks *f, unsigned int level, unsigned int row,
		     struct chess_trunk *t, const struct chess_fresh_list *fresh)
{
	struct fork *fork = fresh->fork;
	uint32_t i, first = 0, n = fresh->n;
	struct fork *last = NULL;
	int ret = 0;

	for (i = 0; i < n && !fork[i].last; i++)
		first++;
	if (first < n) {
		last = malloc((n - first) * sizeof(*last));
		if (!last)
			return chess_set_error(ENOMEM, "no memory for %u prefixes of a run", n);
		for (i = first, n = 0; i < fresh->n; i++) {
			if (fork[i].last)
				last[n++] = fork[i];
			else
				fork[first++] = fork[i];
		}
		ret = chess_worklist_push(f->waiting, level, row, true, t, last, n);
	}
	if (!ret && first)
		ret = chess_worklist_push(f->waiting, level, row, false, t, fork, first);
	free(last);
	return ret;
}

/* Forks that cost @cost more go to the list where they wait. */
static int keep_fresh(struct chess_forks *f, unsigned int cost, bool deep, struct chess_trunk *t)
{
	const struct chess_fresh_list *fresh = &f->fresh.list[cost];

	if (!cost && (deep || f->rules.costs == CHESS_REDUCE_COSTS_NOTHING ||
		      chess_worklist_count_at(f->waiting, f->bound) > ROWS_MAX))
		return chess_worklist_push_next(f->waiting, f->row + 1, t, fresh->fork, fresh->n);
	return push_rows(f, f->bound + cost, f->row + !cost, t, fresh);
}

/* Fresh forks go to the lists they wait in. */
static int keep_forks(struct chess_forks *f, const struct chess_waiting *ticket,
		      const struct chess_record *r)
{
	bool any = chess_aside_has_fresh(&f->aside);
	struct chess_trunk *t;
	unsigned int cost;
	int ret = 0;

	for (cost = 0; cost < f->fresh.costs; cost++)
		any |= f->fresh.list[cost].n;
	if (!any)
		return 0;
	t = chess_trunk_new(ticket->source, ticket->fork.at, r);
	if (!t)
		return -ENOMEM;
	for (cost = 0; cost < f->fresh.costs && !ret; cost++)
		if (f->fresh.list[cost].n)
			ret = keep_fresh(f, cost, ticket->deep, t);
	if (!ret)
		chess_aside_keep(&f->aside, t);
	chess_trunk_put(t);
	return ret;
}

/**
 * chess_forks_check() - look for flaws in a run that is not part of this search
 * @forks: the search
 * @r: a record of the same program
 *
 * With dynamic partial orders few runs of the search itself differ only in the order of
 * independent ops, which is what shows a wrong guess about them. Random runs do.
 *
 * Return: 0 or -ENOMEM with chess_error().
 */
int chess_forks_check(void *forks, const struct chess_record *r)
{
	const struct chess_waiting any = { 0 };
	struct chess_forks *f = forks;

	return f->dpor ? look_at(f, &any, 0, r) : 0;
}

/* A way that the run shows to be needed, at the current decision, which costs @cost so far. */
static int keep_way(struct chess_forks *f, const struct chess_dpor_way *w, unsigned int cost,
		    unsigned int row, struct chess_trunk *t)
{
	const struct chess_event *e = chess_record_event(f->record, f->event);
	bool timer = w->way == CHESS_TASK_TIMER;
	unsigned int more = f->rules.cost(f->record, f->event, w->way);
	const struct fork fork = {
		.at = w->at, .task = w->way,
		.last = preempts_here(f, f->record) && comes_last(f, f->record),
		.print = short_print(timer ? print_expiry(f->before, e) : f->print),
	};

	if (cost + more > f->grow.max) {
		f->grow.cut = true;
		return 0;
	}
	f->ways += cost + more <= f->grow.asked;
	if (f->rules.o->no_early && (timer || chess_record_timed(f->record, f->event, w->way)))
		return 0;
	if (f->rules.o->branch) {
		const struct chess_branch why = chess_dpor_why(f->dpor, w);

		f->rules.o->branch(f->rules.o->branch_arg, &why);
	}
	if (cost + more == f->bound && f->rules.costs == CHESS_REDUCE_COSTS_NOTHING)
		return chess_worklist_push_next(f->waiting, row + !more, t, &fork, 1);
	return chess_worklist_push(f->waiting, cost + more, row + !more, fork.last, t, &fork, 1);
}

/* The ways that the run shows to be needed, also inside its prefix. */
static int keep_ways(struct chess_forks *f, const struct chess_waiting *ticket, size_t prefix,
		     const struct chess_record *r)
{
	const struct chess_dpor_way *w;
	size_t n, k = 0, length = chess_record_length(r);
	unsigned int cost = 0, row = 0;
	struct chess_trunk *t;
	int ret = chess_dpor_find(f->dpor, r, prefix, &w, &n);

	if (ret || !n)
		return ret;
	t = chess_trunk_new(ticket->source, ticket->fork.at, r);
	if (!t)
		return -ENOMEM;
	f->print = CHESS_HASH_START;
	for (f->event = 0, f->at = 0; f->event < length && k < n && !ret; f->event++) {
		const struct chess_event *e = chess_record_event(r, f->event);
		unsigned int more;

		if (!chess_event_decides(e))
			continue;
		f->before = f->print;
		f->print = print_event(f->print, e);
		for (; k < n && w[k].at == f->at && !ret; k++)
			ret = keep_way(f, &w[k], cost, row, t);
		more = f->at < prefix ? f->rules.cost(r, f->event, e->chosen) : 0;
		row += !more && e->chosen != chess_record_default(r, f->event);
		cost += more;
		f->at++;
	}
	chess_trunk_put(t);
	return ret;
}

/**
 * chess_forks_report() - the record of a run
 * @forks: the search
 * @plan: what it was run under
 * @r: the record; begins with the prefix
 *
 * Return: as struct chess_strategy_ops has it.
 */
int chess_forks_report(void *forks, struct chess_plan *plan, const struct chess_record *r)
{
	struct chess_forks *f = forks;
	const struct chess_waiting *t = plan->ticket;
	double leaf;
	int ret;

	ret = f->ordered ? learn(f, r) : 0;
	if (!ret)
		ret = chess_conflicts_learn(&f->conflicts, r);
	if (ret)
		return ret;
	f->row = t->row;
	ret = look_at(f, t, plan->length, r);
	if (!ret) {
		leaf = chess_fresh_share(&f->fresh, chess_grow_left(&f->grow, f->bound),
					 t->fork.weight);
		f->runs++;
		f->made += !plan->predicted;
		f->weight += leaf;
		ret = f->dpor ? keep_ways(f, t, plan->length, r) : keep_forks(f, t, r);
		chess_grow_trim(&f->grow, f->waiting, f->made, f->bound);
	}
	chess_fresh_drop(&f->fresh);
	chess_aside_drop_fresh(&f->aside);
	return ret;
}

unsigned int chess_forks_bound(const void *forks)
{
	return ((const struct chess_forks *)forks)->bound;
}

/**
 * chess_forks_beyond() - is the bound that was asked for done, and the current one not?
 * @forks: the search
 *
 * Return: whether it is.
 */
bool chess_forks_beyond(const void *forks)
{
	const struct chess_forks *f = forks;

	return chess_grow_beyond(&f->grow, f->bound);
}

/*
 * Only their runs show which forks are needed. Those that wait are assumed to show as many more
 * as those before them did, while there is bound left for it.
 */
static double estimate_ways(const struct chess_forks *f)
{
	double waiting = chess_grow_count(&f->grow, f->waiting, f->bound);
	double each = f->ways / f->runs;

	return f->runs + waiting * (1 + (chess_grow_left(&f->grow, f->bound) ? each : 0));
}

/**
 * chess_forks_estimate() - runs of the whole search
 * @forks: it
 *
 * Return: their number; CHESS_ESTIMATE_MAX when it is at least that; 0: not known.
 */
double chess_forks_estimate(const void *forks)
{
	const struct chess_forks *f = forks;

	if (!f->runs)
		return 0;
	if (f->dpor)
		return estimate_ways(f);
	/* The weight is that of the tree within the bound that was asked for. */
	if (chess_grow_beyond(&f->grow, f->bound))
		return f->runs + chess_grow_count(&f->grow, f->waiting, f->bound);
	if (f->weight * CHESS_ESTIMATE_MAX <= f->runs * f->whole)
		return CHESS_ESTIMATE_MAX;
	return f->runs / f->weight * f->whole;
}

/**
 * chess_forks_left_out() - ways that no run took
 * @forks: the search
 * @n: their numbers are added to this
 */
void chess_forks_left_out(const void *forks, uint64_t n[CHESS_LEFT_OUT_CAUSES])
{
	const struct chess_forks *f = forks;

	n[CHESS_LEFT_OUT_LIMIT] += chess_grow_count(&f->grow, f->waiting, f->bound);
	n[CHESS_LEFT_OUT_SCOPE] += f->out_of_scope;
	n[CHESS_LEFT_OUT_ORDERED] += f->aside.n;
	if (f->reduce)
		chess_reduce_left_out(f->reduce, n);
	if (f->states)
		chess_states_left_out(f->states, n);
	if (f->dpor && chess_forks_flaw(f))
		n[CHESS_LEFT_OUT_UNSOUND]++;
}

/**
 * chess_forks_flaw() - why schedules may be missing though the search is over
 * @forks: it
 *
 * Return: NULL, or a sentence owned by @forks.
 */
const char *chess_forks_flaw(const void *forks)
{
	const struct chess_forks *f = forks;

	if (f->states)
		return chess_states_flaw(f->states);
	if (f->dpor && chess_dpor_flaw(f->dpor))
		return chess_dpor_flaw(f->dpor);
	return f->reduce ? chess_reduce_flaw(f->reduce) : NULL;
}
