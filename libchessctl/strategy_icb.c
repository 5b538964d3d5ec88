// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Iterative context bounding (CHESS, OSDI'08, section 4.4; Musuvathi and Qadeer,
 * PLDI'07): all schedules with no preemption, then all with one, and so on.
 * explore.c calls it; it sees records only, neither kernel nor program.
 *
 * The schedules of a program form a tree. A run under a prefix walks one branch
 * to its leaf: behind the prefix the default policy decides, and that costs no
 * preemption. Each decision behind the prefix where other tasks were enabled, or
 * waited with a deadline that may pass, is a fork of the tree: the decisions
 * before it and one of those tasks make a new prefix. Decisions inside the
 * prefix are not looked at again, the run that was the prefix's source did that;
 * so every schedule is run once. A new prefix costs what its source cost plus
 * zero or one, so it belongs to the level in work or to the next.
 *
 * Order, always the same: inside a level depth first, the latest fork of the
 * latest run first, of one fork the highest task id first. A new level takes the
 * runs of the level before in the order in which they were made.
 *
 * Memory is what limits a long search: the next level is written down while
 * this one is in work. So a fork is twelve bytes, and the decisions of a run are
 * kept once, run-length coded, from where they leave those of its source on.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "strategy.h"
#include "verdict.h"

/**
 * struct trunk - the decisions of one run
 * @refs: children and work lists that need it
 * @source: the run that its prefix came from; NULL for the first run
 * @shared: so many decisions are those of @source
 * @n: length of @segment
 * @segment: the decisions that follow
 */
struct trunk {
	size_t refs;
	struct trunk *source;
	uint32_t shared;
	uint32_t n;
	struct chess_segment segment[];
};

/**
 * struct fork - a prefix that waits for its run
 * @at: number of the decision to change
 * @print: fingerprint of the source's record up to that decision
 * @task: who goes on instead
 */
struct fork {
	uint32_t at;
	uint32_t print;
	uint32_t task;
};

/* Forks of one run that belong to one level, in the order of the record. */
struct branch {
	struct trunk *trunk;
	size_t n, room;
	struct fork *fork;
};

struct level {
	struct branch *branch;
	size_t n, room;
};

struct icb {
	unsigned int bound, max;
	struct level now, later;
	bool started;
	struct trunk *source;		/* of the prefix in work; a reference is held */
	struct fork fork;		/* valid with source */
	struct chess_schedule *prefix;
};

static void trunk_put(struct trunk *t)
{
	struct trunk *source;

	while (t && !--t->refs) {
		source = t->source;
		free(t);
		t = source;
	}
}

static void level_clear(struct level *l)
{
	size_t i;

	for (i = 0; i < l->n; i++) {
		trunk_put(l->branch[i].trunk);
		free(l->branch[i].fork);
	}
	free(l->branch);
	memset(l, 0, sizeof(*l));
}

/* Takes over the forks of @b and a reference to @t; an empty branch vanishes. */
static int level_push(struct level *l, struct branch *b, struct trunk *t)
{
	struct branch *more;
	size_t room = l->room ? l->room * 2 : 64;
	void *exact;

	if (!b->n)
		return 0;
	if (l->n == l->room) {
		more = realloc(l->branch, room * sizeof(*more));
		if (!more)
			return chess_set_error(ENOMEM, "no memory for a work list of %zu runs",
					       room);
		l->branch = more;
		l->room = room;
	}
	exact = realloc(b->fork, b->n * sizeof(*b->fork));
	if (exact)
		b->fork = exact;
	b->trunk = t;
	t->refs++;
	l->branch[l->n++] = *b;
	memset(b, 0, sizeof(*b));
	return 0;
}

static int branch_push(struct branch *b, uint32_t at, uint32_t print, uint32_t task)
{
	struct fork *more;
	size_t room = b->room ? b->room * 2 : 32;

	if (b->n == b->room) {
		more = realloc(b->fork, room * sizeof(*more));
		if (!more)
			return chess_set_error(ENOMEM, "no memory for %zu prefixes of a run", room);
		b->fork = more;
		b->room = room;
	}
	b->fork[b->n++] = (struct fork){ .at = at, .print = print, .task = task };
	return 0;
}

static void *icb_new(const struct chess_explore_opts *o)
{
	struct icb *s = calloc(1, sizeof(*s));

	if (!s) {
		chess_set_error(ENOMEM, "no memory for a search");
		return NULL;
	}
	s->max = o->bound;
	return s;
}

static void icb_free(void *strategy)
{
	struct icb *s = strategy;

	if (!s)
		return;
	level_clear(&s->now);
	level_clear(&s->later);
	trunk_put(s->source);
	chess_schedule_free(s->prefix);
	free(s);
}

/* Append the first @length decisions of run @t. */
static int push_decisions(struct chess_schedule *prefix, const struct trunk *t, size_t length)
{
	size_t depth = 0, i, k, at;
	struct { const struct trunk *t; size_t until; } *path;
	const struct trunk *up;
	int ret = 0;

	/* From the run up to the first one, then down: what each contributes. */
	for (up = t; up; up = up->source)
		depth++;
	path = calloc(depth, sizeof(*path));
	if (!path)
		return chess_set_error(ENOMEM, "no memory for a prefix");
	for (up = t, i = depth; up; up = up->source) {
		path[--i].t = up;
		path[i].until = length;
		if (up->shared < length)
			length = up->shared;
	}
	for (i = 0; i < depth && !ret; i++) {
		at = path[i].t->shared;
		for (k = 0; k < path[i].t->n && !ret; k++) {
			uint32_t left = path[i].t->segment[k].count;

			for (; left && at < path[i].until && !ret; left--, at++)
				ret = chess_schedule_push(prefix, path[i].t->segment[k].task);
		}
	}
	free(path);
	return ret;
}

/* The level is done: go to the next one. Its runs are reversed so that taking
 * from the end yields them in the order in which they were made.
 */
static void level_up(struct icb *s)
{
	size_t i;

	free(s->now.branch);
	s->now = s->later;
	memset(&s->later, 0, sizeof(s->later));
	for (i = 0; i < s->now.n / 2; i++) {
		struct branch swap = s->now.branch[i];

		s->now.branch[i] = s->now.branch[s->now.n - 1 - i];
		s->now.branch[s->now.n - 1 - i] = swap;
	}
	s->bound++;
}

static int icb_next(void *strategy, const struct chess_schedule **prefix)
{
	struct icb *s = strategy;
	struct branch *b;
	int ret;

	trunk_put(s->source);
	s->source = NULL;
	chess_schedule_free(s->prefix);
	s->prefix = chess_schedule_new();
	if (!s->prefix)
		return -ENOMEM;
	*prefix = s->prefix;
	if (!s->started) {
		s->started = true;
		return 1;
	}
	if (!s->now.n) {
		/* Where no deeper level has a schedule, the whole bound is done. */
		if (!s->later.n) {
			s->bound = s->max;
			return 0;
		}
		level_up(s);
	}
	b = &s->now.branch[s->now.n - 1];
	s->source = b->trunk;
	s->source->refs++;
	s->fork = b->fork[--b->n];
	if (!b->n) {
		trunk_put(b->trunk);
		free(b->fork);
		s->now.n--;
	}
	ret = push_decisions(s->prefix, s->source, s->fork.at);
	if (!ret)
		ret = chess_schedule_push(s->prefix, s->fork.task);
	return ret ? ret : 1;
}

static bool gives_way(const struct chess_event *e)
{
	return e->type == CHESS_EVENT_QUANTUM ||
	       (e->type == CHESS_EVENT_POINT && (e->flags & CHESS_OPF_YIELD));
}

/*
 * FNV-1a over what must be equal when a prefix is followed again. Not addresses
 * and objects: a pid or a pointer that a program got from outside may differ
 * without any effect on who can run. Not what was chosen, nor that this was a
 * deadline before its time: at the fork it differs.
 */
static uint32_t print_event(uint32_t print, const struct chess_event *e)
{
	uint64_t words[] = {
		e->type | e->op << 8 | (e->flags & ~CHESS_OPF_EARLY) << 16,
		e->task, e->nr, e->enabled, e->timed,
	};
	const unsigned char *p = (const unsigned char *)words;
	size_t i;

	for (i = 0; i < sizeof(words); i++)
		print = (print ^ p[i]) * 16777619U;
	return print;
}

/*
 * The forks of decision number @at, which is event @i. Behind the prefix the
 * default was chosen: a deadline only where nobody was enabled, and then the
 * earliest. So each other deadline is early.
 */
static int push_forks(struct icb *s, const struct chess_record *r, size_t i, uint32_t at,
		      uint32_t print, struct branch *same, struct branch *more)
{
	const struct chess_event *e = chess_record_event(r, i);
	size_t tasks = chess_record_tasks(r), t;
	bool gives = gives_way(e), fair = chess_record_fair(r);
	/* A task that was killed at its point, or lets others go first, is left for free. */
	bool costs = (gives ? !fair : e->type == CHESS_EVENT_POINT) &&
		     chess_record_allowed(r, i, e->task);
	/* Who yields may go on as others may, where fairness ends that; never for time. */
	bool stays = fair && chess_record_enabled(r, i, e->chosen);
	int ret = 0;

	if (costs && s->bound >= s->max)
		return 0;
	for (t = 0; t < tasks && !ret; t++) {
		bool timed = chess_record_timed(r, i, t);

		if (t == e->chosen || (!timed && !chess_record_allowed(r, i, t)))
			continue;
		if (gives && t == e->task && !stays)
			continue;
		if (!timed && !costs)
			ret = branch_push(same, at, print, t);
		else if (s->bound < s->max)
			ret = branch_push(more, at, print, t);
	}
	return ret;
}

/* The decisions of @r as a trunk; those before the fork are its source's. */
static struct trunk *trunk_new(struct icb *s, const struct chess_record *r)
{
	size_t shared = s->source ? s->fork.at : 0;
	size_t i, at = 0, n = 0, room = 16, length = chess_record_length(r);
	struct trunk *t = malloc(sizeof(*t) + room * sizeof(t->segment[0])), *more;

	for (i = 0; t && i < length; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (!chess_event_decides(e) || at++ < shared)
			continue;
		if (n && t->segment[n - 1].task == e->chosen) {
			t->segment[n - 1].count++;
			continue;
		}
		if (n == room) {
			room *= 2;
			more = realloc(t, sizeof(*t) + room * sizeof(t->segment[0]));
			if (!more)
				free(t);
			t = more;
			if (!t)
				break;
		}
		t->segment[n++] = (struct chess_segment){ .count = 1, .task = e->chosen };
	}
	if (!t) {
		chess_set_error(ENOMEM, "no memory for the decisions of a run");
		return NULL;
	}
	more = realloc(t, sizeof(*t) + n * sizeof(t->segment[0]));
	if (more)
		t = more;
	t->refs = 1;
	t->shared = shared;
	t->n = n;
	t->source = s->source;
	if (t->source)
		t->source->refs++;
	return t;
}

static int icb_report(void *strategy, const struct chess_record *r)
{
	struct icb *s = strategy;
	size_t i, length = chess_record_length(r), behind = chess_schedule_length(s->prefix);
	struct branch same = { 0 }, more = { 0 };
	uint32_t at = 0, print = 2166136261U;
	struct trunk *t;
	int ret = 0;

	for (i = 0; i < length && !ret; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (!chess_event_decides(e))
			continue;
		print = print_event(print, e);
		if (s->source && at == s->fork.at && print != s->fork.print)
			return 1;
		if (at >= behind)
			ret = push_forks(s, r, i, at, print, &same, &more);
		at++;
	}
	if (!ret && (same.n || more.n)) {
		t = trunk_new(s, r);
		ret = t ? level_push(&s->now, &same, t) : -ENOMEM;
		if (!ret)
			ret = level_push(&s->later, &more, t);
		trunk_put(t);
	}
	free(same.fork);
	free(more.fork);
	return ret;
}

static unsigned int icb_bound(const void *strategy)
{
	return ((const struct icb *)strategy)->bound;
}

const struct chess_strategy_ops chess_strategy_icb = {
	.name = "icb",
	.new = icb_new,
	.next = icb_next,
	.report = icb_report,
	.bound = icb_bound,
	.free = icb_free,
};
