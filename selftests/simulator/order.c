// SPDX-License-Identifier: GPL-2.0-only
/*
 * See order.h. A run is made, and looked through up to the first decision that is not
 * the one wanted; the next run has the decisions before it, and the right one, for its
 * prefix. So there are as many runs as the order leaves the default policy, and one more.
 */
#include <errno.h>
#include <stdlib.h>

#include "shrink/deviate.h"
#include "order.h"

/**
 * struct place - how far a run has come in the order
 * @order: the order
 * @at: so many accesses of it are made
 * @before: bits of the tasks that stand before an access
 */
struct place {
	const struct chess_schedule *order;
	size_t at;
	uint64_t before;
};

/* By an instruction; of a model, which calls it so, by sim_load() and its like. */
static bool is_access(const struct chess_event *e)
{
	return e->type == CHESS_EVENT_POINT && (e->flags & CHESS_OPF_PROBE) &&
	       ((e->op >= CHESS_OP_LOAD && e->op <= CHESS_OP_UPDATE) ||
		e->op == CHESS_OP_READ || e->op == CHESS_OP_WRITE);
}

static bool may(const struct chess_walk *w, uint16_t task)
{
	return w->e->chosen == task || chess_walk_may(w, task);
}

static uint16_t wanted(const struct place *p, const struct chess_walk *w)
{
	uint16_t next = chess_schedule_task(p->order, p->at), last;

	if (!p->at)
		return may(w, 0) ? 0 : next;
	last = chess_schedule_task(p->order, p->at - 1);
	if (w->e->task == last && !is_access(w->e) && may(w, last) &&
	    chess_walk_cost(w, next))
		return last;
	return next;
}

/* Return: did @task make the access that comes next, or none? */
static bool go_on(struct place *p, uint16_t task)
{
	if (!(p->before & (1ULL << task)))
		return true;
	p->before &= ~(1ULL << task);
	return chess_schedule_task(p->order, p->at++) == task;
}

/* The prefix of the next run; NULL: there is nothing to be done better. */
static struct chess_schedule *better(struct place *p, const struct chess_record *r)
{
	struct chess_schedule *next = NULL;
	struct chess_walk w;

	if (chess_walk_begin(&w, r))
		return NULL;
	while (p->at < chess_schedule_length(p->order) && chess_walk_next(&w)) {
		uint16_t want = wanted(p, &w);

		if (is_access(w.e))
			p->before |= 1ULL << w.e->task;
		if (w.e->chosen != want) {
			next = may(&w, want) ? chess_prefix_of(r, w.here.at, want) : NULL;
			break;
		}
		if (!go_on(p, want))
			break;
	}
	chess_walk_end(&w);
	return next;
}

int order_run(const struct chess_executor *x, const struct chess_schedule *order,
	      struct chess_run_result *out, unsigned int *runs)
{
	struct chess_plan plan = { 0 };
	struct place p;
	int ret;

	*out = (struct chess_run_result){ 0 };
	for (*runs = 1;; ++*runs) {
		chess_run_result_clear(out);
		plan.length = plan.prefix ? chess_schedule_length(plan.prefix) : 0;
		ret = x->run(x->ctx, &plan, out);
		chess_schedule_free(plan.prefix);
		if (ret)
			return ret;
		p = (struct place){ .order = order };
		plan.prefix = out->record ? better(&p, out->record) : NULL;
		if (!plan.prefix)
			return p.at;
	}
}
