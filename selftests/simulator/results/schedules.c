// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many schedules a modelled program has, exactly, without running them: as a graph.
 * A node is a state, which task is at which kind of decision, and what fairness knows;
 * schedules that lead to one node go on alike. So each edge is followed once, and ways are
 * counted along the edges. The fair scheduler is Algorithm 1 of PLDI'08 once more,
 * from the record: it has nothing in common with kmod/fair.c, and must leave out
 * the same tasks at each decision.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "results.h"
#include "record/decision.h"

#define TASKS	8
#define BIT(n)	(1ULL << (n))
/* The node at which all runs end; after it come those of the graph. */
#define END_NODE	0

/* Of a task that yielded, since then: the letters of the paper. */
struct window {
	bool open;
	uint64_t enabled, disabled, stepped, before;	/* E, D, S, P */
};

/**
 * struct node - a point of the graph
 * @choice: a schedule that leads there, of @n decisions
 * @allowed: tasks that may go on
 * @point: this decision is a point: it counts for the depth
 * @first: index of the first of its edges, one for each of @allowed
 * @ways: from here to the end; 0: not counted yet
 */
struct node {
	uint16_t *choice;
	size_t n;
	uint64_t allowed;
	bool point;
	size_t first;
	double ways;
};

struct graph {
	struct chess_executor x;
	bool fair;
	struct node *node;
	size_t n, room;
	size_t *edge;
	size_t edges, edge_room;
	struct numbers index;		/* of nodes by key */
	struct numbers *states;
	uint64_t *state;		/* of the last run, by decision */
	size_t seen, seen_room;
	double *memo;			/* ways by node and by points left, @left + 1 for each */
	unsigned int left;
};

static void *more(void *p, size_t *room, size_t n, size_t size)
{
	if (n < *room)
		return p;
	*room = *room ? *room * 2 : 256;
	p = realloc(p, *room * size);
	assert(p);
	return p;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ULL;
	return h ^ h >> 31;
}

static void visit(void *arg, uint64_t state)
{
	struct graph *g = arg;

	g->state = more(g->state, &g->seen_room, g->seen, sizeof(*g->state));
	g->state[g->seen++] = state;
}

static void step(struct window *w, uint64_t who)
{
	unsigned int t;

	for (t = 0; t < TASKS; t++) {
		w[t].before &= ~who;
		w[t].stepped |= who;
	}
}

static void yield(struct window *w, const struct chess_event *e)
{
	struct window *own = &w[e->task];

	step(w, BIT(e->task));
	if (own->open)
		own->before |= (own->enabled | own->disabled) & ~own->stepped;
	own->open = true;
	own->enabled = e->enabled;
	own->disabled = 0;
	own->stepped = 0;
}

/* Decision @e comes after tasks @lost were enabled no more. */
static void arrive(struct window *w, const struct chess_event *e, uint64_t lost)
{
	unsigned int t;

	for (t = 0; t < TASKS; t++)
		w[t].enabled &= ~lost;
	w[e->task].disabled |= lost;
	if (e->flags & CHESS_OPF_YIELD)
		yield(w, e);
	if (e->type == CHESS_EVENT_EXIT)
		w[e->task] = (struct window){ 0 };
}

static uint64_t left_out(const struct window *w, uint64_t enabled)
{
	uint64_t out = 0;
	unsigned int t;

	for (t = 0; t < TASKS; t++)
		if (w[t].before & enabled)
			out |= BIT(t) & enabled;
	return out;
}

static uint64_t hash_windows(const struct window *w)
{
	uint64_t h = 0, open;
	unsigned int t;

	for (t = 0; t < TASKS; t++) {
		if (!w[t].open)
			continue;
		open = ~w[t].stepped;
		h = mix(mix(mix(h, t + 1), w[t].stepped), w[t].before);
		h = mix(mix(h, w[t].disabled & open), w[t].enabled & open & ~w[t].disabled);
	}
	return h;
}

/* Without fairness a yield goes to somebody else, if there is anybody. */
static uint64_t allowed(const struct graph *g, const struct chess_event *e, uint64_t out)
{
	uint64_t others = e->enabled & ~BIT(e->task);

	if (g->fair)
		return e->enabled & ~out;
	return e->flags & CHESS_OPF_YIELD && others ? others : e->enabled;
}

/* The decision after @n others, filled in from the record; false: the run is over. */
static bool describe(const struct graph *g, const struct chess_record *r, size_t n,
		     struct node *at, uint64_t *key)
{
	struct window w[TASKS] = { 0 };
	uint64_t enabled = 0, told = 0, out = 0;
	const struct chess_event *e;
	size_t i, k = 0;

	for (i = 0; (e = chess_record_event(r, i)); i++) {
		if (e->type == CHESS_EVENT_FAIR)
			told = e->enabled;
		if (!chess_event_decides(e))
			continue;
		arrive(w, e, enabled & ~e->enabled);
		enabled = e->enabled;
		out = left_out(w, enabled);
		assert(!g->fair || out == told);
		told = 0;
		if (k++ == n)
			break;
		step(w, BIT(e->chosen));
	}
	if (!e || e->chosen == CHESS_TASK_NONE)
		return false;
	at->allowed = allowed(g, e, out);
	at->point = e->type == CHESS_EVENT_POINT;
	*key = mix(mix(g->state[n], enabled),
		   e->type ^ e->task << 8 ^ (e->flags & CHESS_OPF_YIELD) << 16);
	if (g->fair)
		*key = mix(*key, hash_windows(w));
	return true;
}

/* The node that @from leads to when @task goes on; @task < 0: @from itself. */
static size_t follow(struct graph *g, const struct node *from, int task)
{
	struct chess_schedule *prefix = chess_schedule_new();
	struct chess_plan plan = { .prefix = prefix, .length = from->n + (task >= 0) };
	struct node at = { .n = plan.length };
	struct chess_run_result run = { 0 };
	uint32_t *index;
	uint64_t key;
	size_t i;
	int ret;

	for (i = 0; i < plan.length; i++)
		chess_schedule_push(prefix, i < from->n ? from->choice[i] : task);
	g->seen = 0;
	ret = g->x.run(g->x.ctx, &plan, &run);
	assert(!ret);
	if (plan.length < g->seen)
		numbers_at(g->states, g->state[plan.length], 0);
	if (!describe(g, run.record, plan.length, &at, &key)) {
		chess_schedule_free(prefix);
		g->x.drop(g->x.ctx, &run);
		return END_NODE;
	}
	g->x.drop(g->x.ctx, &run);
	index = numbers_at(&g->index, key, g->n);
	if (*index == g->n) {
		at.choice = malloc((at.n + 1) * sizeof(*at.choice));
		assert(at.choice);
		for (i = 0; i < at.n; i++)
			at.choice[i] = chess_schedule_task(prefix, i);
		g->node = more(g->node, &g->room, g->n, sizeof(*g->node));
		g->node[g->n++] = at;
	}
	chess_schedule_free(prefix);
	return *index;
}

static void build(struct graph *g)
{
	struct node from = { 0 };
	unsigned int task;
	size_t i, to;

	g->node = more(g->node, &g->room, 0, sizeof(*g->node));
	g->node[g->n++] = (struct node){ .ways = 1 };
	follow(g, &from, -1);
	for (i = END_NODE + 1; i < g->n; i++) {
		from = g->node[i];
		g->node[i].first = g->edges;
		for (task = 0; task < TASKS; task++) {
			if (!(from.allowed & BIT(task)))
				continue;
			to = follow(g, &from, task);
			g->edge = more(g->edge, &g->edge_room, g->edges, sizeof(*g->edge));
			g->edge[g->edges++] = to;
		}
	}
}

/* A fair program has no cycles, or its search would not end. */
static double count_ways(struct graph *g, size_t i)
{
	struct node *at = &g->node[i];
	uint64_t rest = at->allowed;
	size_t edge = at->first;

	if (!at->ways)
		for (; rest; rest &= rest - 1)
			at->ways += count_ways(g, g->edge[edge++]);
	return at->ways;
}

static double count_cut(struct graph *g, size_t i, unsigned int left)
{
	const struct node *at = &g->node[i];
	double *ways = &g->memo[i * (g->left + 1) + left];
	uint64_t rest = at->allowed;
	size_t edge = at->first;

	if (i == END_NODE || (at->point && !left))
		return 1;
	if (!*ways)
		for (; rest; rest &= rest - 1)
			*ways += count_cut(g, g->edge[edge++], left - at->point);
	return *ways;
}

double count_schedules(const struct sim_program *p, unsigned int depth, struct numbers *states)
{
	struct graph g = { .fair = !depth, .states = states };
	struct sim_opts o = {
		.enabled = SIM_CHESS, .unfair = depth, .max_points = 10000, .cut_is_end = true,
		.visit = visit, .arg = &g,
	};
	struct sim *sim = sim_new(p, &o);
	double ways;
	size_t i;

	g.x = sim_executor(sim);
	build(&g);
	if (depth) {
		g.left = depth;
		g.memo = calloc(g.n * (depth + 1), sizeof(*g.memo));
		assert(g.memo);
		ways = count_cut(&g, END_NODE + 1, depth);
	} else {
		ways = count_ways(&g, END_NODE + 1);
	}
	for (i = 0; i < g.n; i++)
		free(g.node[i].choice);
	free(g.node);
	free(g.edge);
	free(g.memo);
	free(g.state);
	numbers_free(&g.index);
	sim_free(sim);
	return ways;
}
