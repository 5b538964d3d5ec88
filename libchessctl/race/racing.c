// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What raced in all runs of a program: pairs of instructions, by the sites that stand for
 * them in every run, and the points that a search should have. explore's and races' runs
 * are learned from one by one, in the order of the search.
 * What there is in one of them run_races.c looks for.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "hashset.h"
#include "internal.h"
#include "iroot/iroot.h"
#include "mix.h"
#include "record/objects.h"
#include "race/frames.h"
#include "race/racing.h"
#include "race/readings.h"
#include "race/unseen.h"

/* The two spaces of numbers that instructions are known by. */
enum { BY_SITE, BY_IP };

/**
 * struct chess_racing - what is known so far
 * @code: instructions that raced: sites, and addresses of those that have none
 * @pairs: two of those each; index is that of @pair
 * @pair: pairs
 * @room: of @pair
 * @points: sites, ascending
 * @n_points: how many
 * @point_room: of @points
 * @retired: sites of which not all accesses were recorded, ascending, @n_retired of them
 * @counts: for certificates
 * @types: of variables
 * @held: plans of strategy hold that were run, as hashes
 * @iroots: what strategy maple knows
 * @visit: tasks at places where hold may hold them, @n_visits of them
 */
struct chess_racing {
	struct chess_objects code, pairs;
	struct chess_racing_pair *pair;
	size_t room;
	uint32_t *points;
	size_t n_points, point_room;
	uint32_t *retired;
	size_t n_retired;
	struct chess_racing_counts counts;
	uint64_t trapped;
	struct chess_racing_types types;
	struct chess_hashset held;
	struct chess_iroots iroots;
	struct chess_visit *visit;
	size_t n_visits, visit_room;
	bool stacks, readings_left;
	uint32_t unseen;
};

/* More are not looked for places to hold tasks at. */
#define MAX_VISITS	1000

struct chess_racing *chess_racing_new(void)
{
	struct chess_racing *g = calloc(1, sizeof(*g));

	if (!g)
		chess_set_error(ENOMEM, "no memory for races");
	return g;
}

static void forget(struct chess_racing *g)
{
	chess_objects_free(&g->code);
	chess_objects_free(&g->pairs);
	free(g->pair);
	free(g->points);
	free(g->retired);
	chess_racing_types_clear(&g->types);
	chess_hashset_clear(&g->held);
	chess_iroots_free(&g->iroots);
	free(g->visit);
	memset(g, 0, sizeof(*g));
}

void chess_racing_free(struct chess_racing *g)
{
	if (g)
		forget(g);
	free(g);
}

void chess_racing_clear(struct chess_racing *g)
{
	forget(g);
}

static int64_t code_of(struct chess_racing *g, const struct chess_access *a)
{
	/* All calls of free() have one site. */
	return a->site && !(a->kind & CHESS_ACCESS_FRESH) ?
			 chess_objects_find(&g->code, BY_SITE, a->site) :
			 chess_objects_find(&g->code, BY_IP, a->ip);
}

/* Return: 1, it was none before; 0; -ENOMEM */
static int add_point(struct chess_racing *g, uint32_t site)
{
	size_t low = 0, high = g->n_points;
	unsigned int cause;

	if (chess_site_is_unseen(site, &cause)) {
		g->unseen |= 1U << cause;
		return 0;
	}
	if (site == CHESS_SITE_STACK) {
		g->stacks = true;
		return 0;
	}
	if (site == CHESS_SITE_READINGS) {
		g->readings_left = true;
		return 0;
	}
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (g->points[middle] < site)
			low = middle + 1;
		else
			high = middle;
	}
	if (!site || (low < g->n_points && g->points[low] == site))
		return 0;
	if (chess_array_room(&g->points, &g->point_room, g->n_points + 1, sizeof(*g->points)))
		return -ENOMEM;
	memmove(&g->points[low + 1], &g->points[low], (g->n_points - low) * sizeof(*g->points));
	g->points[low] = site;
	g->n_points++;
	return 1;
}

/* Return: how many points are new; -ENOMEM */
static int add_points(struct chess_racing *g, uint32_t a, uint32_t b)
{
	int first = add_point(g, a), second = first < 0 ? first : add_point(g, b);

	return second < 0 ? second : first + second;
}

static int add_pair(struct chess_racing *g, const struct chess_racing_pair *seen)
{
	int64_t x = code_of(g, &seen->first), y = code_of(g, &seen->second), i;
	size_t room = g->room;

	if (x < 0 || y < 0)
		return -ENOMEM;
	i = chess_objects_find(&g->pairs, 0, x < y ? (uint64_t)x << 32 | y : (uint64_t)y << 32 | x);
	if (i < 0)
		return -ENOMEM;
	if (chess_array_room(&g->pair, &g->room, g->pairs.n, sizeof(*g->pair)))
		return -ENOMEM;
	memset(g->pair + room, 0, (g->room - room) * sizeof(*g->pair));
	if (!g->pair[i].run) {
		g->pair[i] = *seen;
		g->pair[i].run = g->counts.runs;
	}
	g->pair[i].runs++;
	return add_points(g, seen->first.site, seen->second.site);
}

/*
 * Ops before which others may well come first. What gives something back is none, but for a
 * lock that others try to get, which may give up: see is_tried().
 */
static bool competes(const struct chess_event *e)
{
	switch (e->op) {
	case CHESS_OP_LOCK:
	case CHESS_OP_TRYLOCK:
	case CHESS_OP_RDLOCK:
	case CHESS_OP_WRLOCK:
	case CHESS_OP_SEM_WAIT:
	case CHESS_OP_SEM_POST:
	case CHESS_OP_COND_WAIT:
	case CHESS_OP_COND_SIGNAL:
	case CHESS_OP_COND_BROADCAST:
		return e->object_kind == CHESS_OBJECT_ADDRESS;
	default:
		return chess_event_is_access(e);
	}
}

static bool is_tried(const struct chess_racing *g, const struct chess_event *e)
{
	size_t i;

	for (i = 0; e->op == CHESS_OP_UNLOCK && i < g->n_visits; i++)
		if (g->visit[i].tried && g->visit[i].object == e->object)
			return true;
	return false;
}

static int add_visit(struct chess_racing *g, const struct chess_event *e, bool nested)
{
	bool access = chess_event_is_access(e), known = false;
	struct chess_visit visit = {
		.place = access ? e->nr : CHESS_HOLD_CALL(e->caller ? e->caller : e->ip),
		.task = e->task, .object = e->object, .shared = access,
		.nested = nested && !access, .tried = e->op == CHESS_OP_TRYLOCK,
	};
	size_t i;

	for (i = 0; i < g->n_visits; i++) {
		struct chess_visit *v = &g->visit[i];

		known |= v->place == visit.place && v->task == visit.task;
		if (access || v->object != visit.object || v->task == visit.task)
			continue;
		v->shared = visit.shared = true;
	}
	for (i = 0; i < g->n_visits && known; i++)
		if (g->visit[i].place == visit.place && g->visit[i].task == visit.task) {
			g->visit[i].shared |= visit.shared;
			g->visit[i].nested |= visit.nested;
		}
	if (known || g->n_visits == MAX_VISITS)
		return 0;
	if (chess_array_room(&g->visit, &g->visit_room, g->n_visits + 1, sizeof(*g->visit)))
		return chess_set_error(ENOMEM, "no memory for more than %zu places", g->n_visits);
	g->visit[g->n_visits++] = visit;
	return 0;
}

/* How many locks a task has after this op, if it gets what it asks for; never exact. */
static void count_locks(const struct chess_event *e, unsigned int *locks)
{
	switch (e->op) {
	case CHESS_OP_LOCK:
	case CHESS_OP_RDLOCK:
	case CHESS_OP_WRLOCK:
		++*locks;
		break;
	case CHESS_OP_UNLOCK:
		*locks -= !!*locks;
		break;
	}
}

static int learn_visits(struct chess_racing *g, const struct chess_record *r)
{
	unsigned int *locks = calloc(chess_record_tasks(r) + 1, sizeof(*locks));
	const struct chess_event *e;
	size_t i;
	int ret = locks ? 0 : chess_set_error(ENOMEM, "no memory for the tasks of a run");

	for (i = 0; !ret && (e = chess_record_event(r, i)); i++) {
		if (e->type != CHESS_EVENT_POINT || !(e->flags & CHESS_OPF_PROBE) || !e->nr ||
		    e->task > chess_record_tasks(r))
			continue;
		if (competes(e) || is_tried(g, e))
			ret = add_visit(g, e, locks[e->task]);
		count_locks(e, &locks[e->task]);
	}
	free(locks);
	return ret;
}

const struct chess_visit *chess_racing_visits(const struct chess_racing *g, size_t *n)
{
	*n = g->n_visits;
	return g->visit;
}

static int learn_retired(struct chess_racing *g, const struct chess_run_races *seen)
{
	uint32_t *all = malloc((g->n_retired + seen->n_retired + 1) * sizeof(*all));
	size_t a = 0, b = 0, n = 0;

	if (!all)
		return -ENOMEM;
	while (a < g->n_retired || b < seen->n_retired) {
		bool mine = b == seen->n_retired ||
			    (a < g->n_retired && g->retired[a] < seen->retired[b]);

		all[n] = mine ? g->retired[a++] : seen->retired[b++];
		n += !n || all[n] != all[n - 1];
	}
	free(g->retired);
	g->retired = all;
	g->n_retired = n;
	return 0;
}

/* Return: how many points are new; -errno */
static int learn_races(struct chess_racing *g, const struct chess_run_races *seen)
{
	int ret = 0, total = 0;
	size_t i;

	g->counts.accesses += seen->accesses;
	g->trapped += seen->trapped;
	g->counts.lost += seen->lost;
	g->counts.forgotten += seen->forgotten;
	g->counts.dropped += seen->dropped;
	g->counts.rested += seen->rested;
	if (seen->n_retired)
		ret = learn_retired(g, seen);
	for (i = 0; ret >= 0 && i < seen->n_pairs; i++) {
		ret = add_pair(g, &seen->pair[i]);
		total += ret;
	}
	for (i = 0; ret >= 0 && i + 1 < seen->n_sites; i += 2) {
		ret = add_points(g, seen->site[i], seen->site[i + 1]);
		total += ret;
	}
	return ret < 0 ? chess_set_error(ENOMEM, "no memory for races") : total;
}

int chess_racing_look(struct chess_racing *g, struct chess_run_result *run)
{
	if (run->races)
		return 0;
	return chess_run_races_find(&g->types, run, &run->races);
}

int chess_racing_learn(struct chess_racing *g, const struct chess_run_result *run)
{
	struct chess_run_races *seen = NULL;
	int ret;

	g->counts.runs++;
	ret = run->record ? learn_visits(g, run->record) : 0;
	if (!ret && !run->races)
		ret = chess_run_races_find(&g->types, run, &seen);
	if (!ret)
		ret = learn_races(g, run->races ? run->races : seen);
	chess_run_races_free(seen);
	return ret;
}

const struct chess_racing_pair *chess_racing_pairs(const struct chess_racing *g, size_t *n)
{
	*n = g->pairs.n;
	return g->pair;
}

int chess_racing_know(struct chess_racing *g, const uint32_t *sites, size_t n)
{
	int ret = 0;
	size_t i;

	for (i = 0; i < n && ret >= 0; i++)
		ret = add_point(g, sites[i]);
	return ret < 0 ? chess_set_error(ENOMEM, "no memory for races") : 0;
}

uint32_t chess_racing_unseen(const struct chess_racing *g)
{
	return g->unseen;
}

bool chess_racing_readings_left(const struct chess_racing *g)
{
	return g->readings_left;
}

bool chess_racing_stacks(const struct chess_racing *g)
{
	return g->stacks;
}

const uint32_t *chess_racing_points(const struct chess_racing *g, size_t *n)
{
	*n = g->n_points;
	return g->points;
}

const uint32_t *chess_racing_retired(const struct chess_racing *g, size_t *n)
{
	*n = g->n_retired;
	return g->retired;
}

struct chess_racing_counts chess_racing_count(const struct chess_racing *g)
{
	return g->counts;
}

uint64_t chess_racing_trapped(const struct chess_racing *g)
{
	return g->trapped;
}

int chess_racing_hold(struct chess_racing *g, const uint32_t *changes, size_t n)
{
	uint64_t hash = n;
	size_t i;

	for (i = 0; i < n; i++)
		hash = chess_mix(hash, changes[i]);
	return chess_hashset_add(&g->held, hash);
}

struct chess_iroots *chess_racing_iroots(struct chess_racing *g)
{
	return &g->iroots;
}
