// SPDX-License-Identifier: GPL-2.0-only
/*
 * All states of a modelled program by a search that remembers them. It asks the
 * executor to follow a prefix and looks at what can be chosen after it, so it is
 * independent of chess_explore() and of its strategies.
 *
 * With a bound, a state counts that can be reached with so many preemptions, and is
 * looked at again when it is reached with fewer or at another task's point: what is
 * free there depends on who could go on.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "results.h"
#include "record/decision.h"

#define TASKS	64

struct node {
	uint16_t *choice;
	size_t n;
	struct node *next;
};

struct list {
	struct node *first, **end;
};

struct walk {
	struct chess_executor x;
	int bound;
	struct list *level;		/* by number of preemptions */
	struct numbers known;		/* preemptions with which it was looked at */
	struct numbers *states;
	uint64_t *state;		/* of the last run, by decision */
	size_t n, room;
};

static void visit(void *arg, uint64_t state)
{
	struct walk *w = arg;

	if (w->n == w->room) {
		w->room = w->room ? w->room * 2 : 256;
		w->state = realloc(w->state, w->room * sizeof(*w->state));
		assert(w->state);
	}
	w->state[w->n++] = state;
}

static void add(struct list *l, const struct node *from, size_t n, int task)
{
	struct node *more = calloc(1, sizeof(*more));

	assert(more);
	more->choice = malloc((n + 1) * sizeof(*more->choice));
	assert(more->choice);
	memcpy(more->choice, from->choice, n * sizeof(*more->choice));
	more->n = n;
	if (task >= 0)
		more->choice[more->n++] = task;
	*l->end = more;
	l->end = &more->next;
}

static struct node *take(struct list *l)
{
	struct node *first = l->first;

	if (first) {
		l->first = first->next;
		if (!l->first)
			l->end = &l->first;
	}
	return first;
}

/* What it costs to choose @task at @e: 0, 1, or -1 where it is not allowed. */
static int cost(const struct walk *w, const struct chess_event *e, unsigned int task)
{
	bool yields = e->flags & CHESS_OPF_YIELD;
	unsigned int next = e->task;

	if (w->bound < 0 || e->type != CHESS_EVENT_POINT || !(e->enabled >> e->task & 1))
		return 0;
	if (!yields)
		return task != e->task;
	do
		next = (next + 1) % TASKS;
	while (!(e->enabled >> next & 1));
	if (task == e->task && next != task)
		return -1;
	return task != next;
}

/* The event of decision number @n; NULL where the run has ended before. */
static const struct chess_event *decision(const struct chess_record *r, size_t n)
{
	const struct chess_event *e;
	size_t i;

	for (i = 0; (e = chess_record_event(r, i)); i++)
		if (chess_event_decides(e) && !n--)
			return e;
	return NULL;
}

static void look(struct walk *w, const struct node *at, int preemptions)
{
	struct chess_schedule *prefix = chess_schedule_new();
	struct chess_plan plan = { .prefix = prefix, .length = at->n };
	struct chess_run_result run = { 0 };
	const struct chess_event *e;
	uint32_t *fewest;
	unsigned int task;
	uint64_t key = 0;
	size_t i;
	int ret, more;

	for (i = 0; i < at->n; i++)
		chess_schedule_push(prefix, at->choice[i]);
	w->n = 0;
	ret = w->x.run(w->x.ctx, &plan, &run);
	assert(!ret);
	chess_schedule_free(prefix);
	e = decision(run.record, at->n);
	/* That in which a run ends is one as well. */
	if (at->n < w->n)
		numbers_at(w->states, w->state[at->n], 0);
	if (e) {
		key = w->state[at->n];
		key = (key ^ e->enabled << 32 ^ e->task << 8 ^ e->type ^
		       (e->flags & CHESS_OPF_YIELD) << 24) * 0x9e3779b97f4a7c15ULL;
		fewest = numbers_at(&w->known, key, UINT32_MAX);
		if (*fewest <= (uint32_t)preemptions)
			e = NULL;
		else
			*fewest = preemptions;
	}
	for (task = 0; e && task < TASKS; task++) {
		more = e->enabled >> task & 1 ? cost(w, e, task) : -1;
		if (more >= 0 && (w->bound < 0 || preemptions + more <= w->bound))
			add(&w->level[preemptions + more], at, at->n, task);
	}
	chess_run_result_clear(&run);
}

void enumerate_states(const struct sim_program *p, int bound, struct numbers *states)
{
	struct walk w = { .bound = bound, .states = states };
	struct sim_opts o = {
		.enabled = SIM_CHESS, .unfair = true, .max_points = 10000, .cut_is_end = true,
		.visit = visit, .arg = &w,
	};
	struct sim *sim = sim_new(p, &o);
	struct node root = { 0 }, *at;
	int levels = bound < 0 ? 1 : bound + 1, i;

	w.x = sim_executor(sim);
	w.level = calloc(levels + 1, sizeof(*w.level));
	assert(w.level);
	for (i = 0; i <= levels; i++)
		w.level[i].end = &w.level[i].first;
	add(&w.level[0], &root, 0, -1);
	for (i = 0; i < levels; i++)
		while ((at = take(&w.level[i]))) {
			look(&w, at, i);
			free(at->choice);
			free(at);
		}
	free(w.level);
	free(w.state);
	numbers_free(&w.known);
	sim_free(sim);
}
