// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From a failing schedule to the smallest one that shows the same bug: fewest
 * preemptions, then fewest context switches, then fewest points. What the answer
 * guarantees is in docs/search.md, "Shrink"; nothing is said that was not run.
 *
 * A run is a list of choices in which it leaves the default policy (deviate.h).
 *
 *	drop	take choices away, in halves, quarters, .. one by one (ddmin), until
 *		none can be taken away alone
 *	search	all schedules of the program with fewer preemptions, then those with
 *		as many (explore.c): the only stage that proves a minimum
 *	select	where that did not end: all selections of the choices of the first
 *		run that have fewer preemptions
 *	move	put one choice in the place of another
 *
 * Every run is looked at, whatever it was made for: the smallest failing one so far
 * is where the next stage begins. Each stage may use a share of what is left of the
 * limits, so that each has its turn. No chance and, without a time limit, no clock
 * is involved. chessctl's shrink calls it with the runner, units with a model.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "deviate.h"
#include "internal.h"
#include "same.h"
#include "verdict.h"

/* The stage may not go on; the next one may. Beside 0 and -errno. */
#define STAGE_OVER	1

/**
 * struct attempt - one run
 * @refs: who needs it
 * @res: what came of it
 * @size: of @res.record
 * @choice: its deviations; @size.choices of them
 */
struct attempt {
	size_t refs;
	struct chess_run_result res;
	struct chess_shrink_size size;
	struct chess_deviation *choice;
};

/**
 * struct shrink - one call of chess_shrink()
 * @x: who executes a run
 * @o: what was asked for
 * @bug: that of the first run
 * @first: the schedule to shrink, run again
 * @best: the smallest one so far
 * @runs: so many were made
 * @stage: its name
 * @stage_runs: number of runs at which it is over
 * @stage_end: moment at which it is over
 * @start: when all began
 * @interrupted: the executor wants to stop
 * @levels: the search has run all schedules with fewer preemptions than this
 */
struct shrink {
	const struct chess_executor *x;
	struct chess_shrink_opts o;
	struct chess_bug bug;
	struct attempt *first, *best;
	uint64_t runs;
	const char *stage;
	uint64_t stage_runs;
	double stage_end, start;
	bool interrupted;
	size_t levels;
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void attempt_put(struct attempt *a)
{
	if (!a || --a->refs)
		return;
	chess_run_result_clear(&a->res);
	free(a->choice);
	free(a);
}

/**
 * chess_shrink_size_of() - what shrinking makes smaller
 * @r: record of a run
 *
 * Return: its size.
 */
struct chess_shrink_size chess_shrink_size_of(const struct chess_record *r)
{
	struct chess_shrink_size size = {
		.preemptions = chess_record_preemptions(r),
		.points = chess_record_points(r),
	};
	uint16_t holder = 0;
	size_t i;

	for (i = 0; i < chess_record_length(r); i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (!chess_event_decides(e))
			continue;
		size.choices += e->chosen != chess_record_default(r, i);
		/* Who takes a signal: the token stays where it is. */
		if (e->type == CHESS_EVENT_SIGNAL)
			continue;
		size.switches += e->chosen != holder;
		holder = e->chosen;
	}
	return size;
}

static bool is_smaller(const struct chess_shrink_size *a, const struct chess_shrink_size *b)
{
	if (a->preemptions != b->preemptions)
		return a->preemptions < b->preemptions;
	if (a->switches != b->switches)
		return a->switches < b->switches;
	if (a->points != b->points)
		return a->points < b->points;
	return a->choices < b->choices;
}

static int keep_best(struct shrink *s, struct attempt *a)
{
	int ret = chess_deviations_of(a->res.record, &a->choice, &a->size.choices);

	if (ret)
		return ret;
	a->refs++;
	attempt_put(s->best);
	s->best = a;
	return 0;
}

/* Is it the bug, and smaller? Then it is the best from now on. */
static int consider(struct shrink *s, struct attempt *a)
{
	struct chess_bug bug;
	bool same;
	int ret;

	if (!a->res.record || !chess_verdict_is_bug(a->res.verdict))
		return 0;
	a->size = chess_shrink_size_of(a->res.record);
	if (s->best && !is_smaller(&a->size, &s->best->size))
		return 0;
	ret = chess_bug_of(&a->res, &bug);
	if (ret)
		return ret;
	if (!s->best) {
		s->bug = bug;
		return keep_best(s, a);
	}
	same = chess_bug_same(&s->bug, &bug);
	chess_bug_clear(&bug);
	return same ? keep_best(s, a) : 0;
}

static bool stage_over(const struct shrink *s)
{
	return s->interrupted || s->runs >= s->stage_runs ||
	       (s->o.max_seconds > 0 && now() - s->start >= s->stage_end);
}

static void begin_stage(struct shrink *s, const char *name, double share)
{
	double left = s->o.max_seconds - (now() - s->start);

	s->stage = name;
	s->stage_runs = UINT64_MAX;
	if (s->o.max_runs)
		s->stage_runs = s->runs >= s->o.max_runs ? 0 :
				s->runs + (s->o.max_runs - s->runs) * share;
	s->stage_end = s->o.max_seconds - left * (1 - share);
}

/* Return: 0, STAGE_OVER or -errno. */
static int execute(struct shrink *s, const struct chess_schedule *prefix,
		   struct chess_run_result *res)
{
	int ret;

	if (stage_over(s))
		return STAGE_OVER;
	*res = (struct chess_run_result){
		.bad_task = -1, .diverged_at = SIZE_MAX, .outside_task = CHESS_TASK_NONE,
	};
	ret = s->x->run(s->x->ctx, prefix, chess_schedule_length(prefix), res);
	if (ret == -EINTR) {
		s->interrupted = true;
		return STAGE_OVER;
	}
	if (ret)
		return ret;
	s->runs++;
	if (s->o.progress && s->best)
		s->o.progress(s->o.progress_arg, s->stage, s->runs, now() - s->start,
			      &s->best->size);
	return 0;
}

/* Runs @prefix, which is freed. Return: 0 and *@out is for attempt_put(); or as above. */
static int attempt(struct shrink *s, struct chess_schedule *prefix, struct attempt **out)
{
	struct attempt *a = prefix ? calloc(1, sizeof(*a)) : NULL;
	int ret;

	*out = NULL;
	if (!a) {
		chess_schedule_free(prefix);
		return chess_set_error(ENOMEM, "no memory for a run");
	}
	a->refs = 1;
	ret = execute(s, prefix, &a->res);
	chess_schedule_free(prefix);
	if (!ret)
		ret = consider(s, a);
	if (ret)
		attempt_put(a);
	else
		*out = a;
	return ret;
}

/*
 * The first choice of @list that can be taken in @a behind decision @behind, and is not
 * taken there anyhow: it leads to *@next. *@next is NULL where there is none.
 */
static int next_choice(const struct attempt *a, size_t behind,
		       const struct chess_deviation *list, size_t n, bool *used,
		       struct chess_schedule **next, size_t *length)
{
	struct chess_walk w;
	size_t i;
	int ret = chess_walk_begin(&w, a->res.record);

	*next = NULL;
	while (!ret && !*next && chess_walk_next(&w)) {
		for (i = 0; i < n && w.here.at >= behind; i++) {
			if (used[i] || !chess_deviation_fits(&list[i], &w))
				continue;
			used[i] = true;
			if (!chess_walk_may(&w, list[i].chosen))
				break;
			*next = chess_prefix_of(a->res.record, w.here.at, list[i].chosen);
			*length = w.here.at + 1;
			ret = *next ? 0 : -ENOMEM;
			break;
		}
	}
	chess_walk_end(&w);
	return ret;
}

/*
 * Run @prefix, which is freed and has @length decisions, and behind it take those
 * choices of @list that can be taken, one more in each run. Ends early with a run that
 * is the best so far.
 */
static int follow(struct shrink *s, struct chess_schedule *prefix, size_t length,
		  const struct chess_deviation *list, size_t n)
{
	const struct attempt *best = s->best;
	bool *used = prefix ? calloc(n + 1, sizeof(*used)) : NULL;
	struct attempt *a;
	int ret = 0;

	if (!used) {
		chess_schedule_free(prefix);
		return chess_set_error(ENOMEM, "no memory for the choices of a run");
	}
	while (prefix) {
		ret = attempt(s, prefix, &a);
		prefix = NULL;
		if (ret)
			break;
		if (s->best == best && a->res.record && a->res.verdict != CHESS_VERDICT_DIVERGED)
			ret = next_choice(a, length, list, n, used, &prefix, &length);
		attempt_put(a);
	}
	free(used);
	return ret;
}

/* The best run without @count of its choices, from number @first on. */
static int without(struct shrink *s, size_t first, size_t count)
{
	struct attempt *best = s->best;
	size_t length = best->choice[first].at;
	int ret;

	best->refs++;
	ret = follow(s, chess_prefix_of(best->res.record, length, CHESS_TASK_NONE), length,
		     best->choice + first + count, best->size.choices - first - count);
	attempt_put(best);
	return ret;
}

/* Each round ends with a smaller run or with smaller parts. */
static int drop(struct shrink *s)
{
	size_t part = s->best->size.choices, first, n;
	bool changed;
	int ret;

	while (part) {
		changed = false;
		for (first = 0; first < s->best->size.choices;) {
			struct attempt *best = s->best;

			n = best->size.choices - first;
			ret = without(s, first, part < n ? part : n);
			if (ret)
				return ret;
			if (s->best == best)
				first += part;
			else
				changed = true;
		}
		if (!changed || part > 1)
			part /= 2;
	}
	return 0;
}

/* explore.c asks here for its runs. */
static int search_run(void *ctx, const struct chess_schedule *prefix, size_t length,
		      struct chess_run_result *out)
{
	struct shrink *s = ctx;
	int ret = execute(s, prefix, out);

	(void)length;
	return ret == STAGE_OVER ? -EINTR : ret;
}

/* A failing run of the search is explore.c's: the same schedule once more is ours. */
static int search_found(void *arg, const struct chess_run_result *bad)
{
	struct chess_shrink_size size = chess_shrink_size_of(bad->record);
	struct shrink *s = arg;
	struct chess_bug bug;
	struct attempt *a;
	bool same;
	int ret;

	if (!is_smaller(&size, &s->best->size))
		return 0;
	ret = chess_bug_of(bad, &bug);
	if (ret)
		return ret;
	same = chess_bug_same(&s->bug, &bug);
	chess_bug_clear(&bug);
	if (!same)
		return 0;
	if (s->stage_runs == s->runs)
		s->stage_runs++;
	ret = attempt(s, chess_prefix_of(bad->record, SIZE_MAX, CHESS_TASK_NONE), &a);
	if (!ret)
		attempt_put(a);
	return ret == STAGE_OVER ? 0 : ret;
}

static bool search_goes_on(void *arg, uint64_t runs, double seconds, unsigned int bound,
			   unsigned int found)
{
	const struct shrink *s = arg;

	(void)runs;
	(void)seconds;
	(void)found;
	return bound <= s->best->size.preemptions;
}

/* Fewest preemptions first, to the end of the level that the best run is in. */
static int search(struct shrink *s)
{
	struct chess_executor x = { .run = search_run, .ctx = s };
	struct chess_explore_opts o = {
		.sz = sizeof(o), .bound = s->best->size.preemptions, .strategy = "icb",
		.keep_going = true, .found = search_found, .found_arg = s,
		.progress = search_goes_on, .progress_arg = s,
	};
	struct chess_explore_result res;
	int ret = chess_explore(&x, &o, &res);

	if (ret)
		return ret;
	/* A run that did not follow, or has no whole record, hides what is behind it. */
	if (!res.diverged && !res.why)
		s->levels = res.complete ? res.bound + 1 : res.bound;
	chess_explore_result_clear(&res);
	return 0;
}

/*
 * All ways to take choices of the first run behind @prefix, with @left preemptions
 * more. @prefix is freed.
 */
static int select_behind(struct shrink *s, struct chess_schedule *prefix, size_t length,
			 size_t left)
{
	const struct attempt *first = s->first;
	struct chess_walk w;
	struct attempt *a;
	size_t i;
	int ret;

	ret = attempt(s, prefix, &a);
	if (ret || !a->res.record || a->res.verdict == CHESS_VERDICT_DIVERGED) {
		attempt_put(a);
		return ret;
	}
	ret = chess_walk_begin(&w, a->res.record);
	while (!ret && chess_walk_next(&w)) {
		for (i = 0; i < first->size.choices && !ret && w.here.at >= length; i++) {
			uint16_t task = first->choice[i].chosen;

			if (!chess_deviation_fits(&first->choice[i], &w) ||
			    !chess_walk_may(&w, task) || chess_walk_cost(&w, task) > left)
				continue;
			ret = select_behind(s, chess_prefix_of(a->res.record, w.here.at, task),
					    w.here.at + 1, left - chess_walk_cost(&w, task));
		}
	}
	chess_walk_end(&w);
	attempt_put(a);
	return ret;
}

/* With no preemption first, so the first failing run has the fewest. */
static int choose(struct shrink *s)
{
	size_t n;
	int ret = 0;

	for (n = 0; !ret && n < s->best->size.preemptions; n++)
		ret = select_behind(s, chess_schedule_new(), 0, n);
	return ret;
}

/*
 * @a is the best run up to its choice number @at, the default behind. Take any one
 * other choice there, then those that followed.
 */
static int replace_choice(struct shrink *s, const struct attempt *a, size_t at)
{
	struct attempt *best = s->best;
	const struct chess_deviation *list = best->choice;
	size_t behind = at ? list[at - 1].at + 1 : 0, preemptions = 0, t;
	struct chess_walk w;
	int ret = chess_walk_begin(&w, a->res.record);

	best->refs++;
	while (!ret && chess_walk_next(&w) && s->best == best) {
		for (t = 0; t < chess_record_tasks(a->res.record) && w.here.at >= behind &&
		     !ret && s->best == best; t++) {
			if (!chess_walk_may(&w, t) ||
			    preemptions + chess_walk_cost(&w, t) > best->size.preemptions ||
			    (chess_deviation_fits(&list[at], &w) && t == list[at].chosen))
				continue;
			ret = follow(s, chess_prefix_of(a->res.record, w.here.at, t),
				     w.here.at + 1, list + at + 1,
				     best->size.choices - at - 1);
		}
		preemptions += chess_record_is_preemption(a->res.record, w.i);
	}
	chess_walk_end(&w);
	attempt_put(best);
	return ret;
}

static int move(struct shrink *s)
{
	struct attempt *a;
	size_t at;
	int ret;

	for (at = 0; at < s->best->size.choices;) {
		const struct attempt *best = s->best;

		ret = attempt(s, chess_prefix_of(best->res.record, best->choice[at].at,
						 CHESS_TASK_NONE), &a);
		if (ret)
			return ret;
		if (s->best == best && a->res.record &&
		    a->res.verdict != CHESS_VERDICT_DIVERGED)
			ret = replace_choice(s, a, at);
		attempt_put(a);
		if (ret)
			return ret;
		at = s->best == best ? at + 1 : 0;
	}
	return 0;
}

/* drop and move, until neither helps. */
static int polish(struct shrink *s, struct chess_shrink_result *out)
{
	struct attempt *best;
	int ret;

	do {
		begin_stage(s, "drop", 0.75);
		ret = drop(s);
		if (ret)
			return ret;
		out->one_minimal = true;
		best = s->best;
		begin_stage(s, "move", 1);
		ret = move(s);
		if (s->best != best)
			out->one_minimal = false;
		else if (!ret)
			out->moves_done = true;
	} while (!ret && s->best != best);
	return ret;
}

static bool has_fewest(const struct shrink *s)
{
	return s->best->size.preemptions <= s->levels;
}

static int shrink(struct shrink *s, struct chess_shrink_result *out)
{
	int ret;

	begin_stage(s, "drop", 0.5);
	ret = drop(s);
	out->one_minimal = !ret;
	if (ret >= 0 && !s->interrupted) {
		const struct attempt *best = s->best;

		begin_stage(s, "search", 0.5);
		ret = search(s);
		out->one_minimal &= best == s->best;
	}
	out->smallest = ret >= 0 && s->best->size.preemptions < s->levels;
	if (ret < 0 || out->smallest || s->interrupted)
		return ret < 0 ? ret : 0;
	if (!has_fewest(s)) {
		begin_stage(s, "select", 0.5);
		ret = choose(s);
		out->selected = !ret;
	}
	if (ret >= 0)
		ret = polish(s, out);
	return ret < 0 ? ret : 0;
}

static int run_first(struct shrink *s, const struct chess_record *failing)
{
	int ret;

	begin_stage(s, "check", 1);
	ret = attempt(s, chess_prefix_of(failing, SIZE_MAX, CHESS_TASK_NONE), &s->first);
	if (ret == STAGE_OVER)
		return chess_set_error(EINTR, "interrupted before the first run");
	if (!ret && !s->best)
		return chess_set_error(ESTALE,
				       "the schedule to shrink failed when it was recorded and does not any more: its run is %s now",
				       chess_verdict_name(s->first->res.verdict));
	return ret;
}

/**
 * chess_shrink() - look for the smallest schedule that shows the same bug
 * @x: who executes one run
 * @failing: record of a failing run
 * @o: limits
 * @out: what was found; chess_shrink_result_clear() it when this returns 0
 *
 * -EINTR from the executor ends it like a limit does, but for the first run.
 *
 * Return: 0, or a negative errno with chess_error(): -ESTALE when the schedule does
 * not fail any more.
 */
int chess_shrink(const struct chess_executor *x, const struct chess_record *failing,
		 const struct chess_shrink_opts *o, struct chess_shrink_result *out)
{
	struct shrink s = { .x = x, .start = now() };
	int ret;

	memset(out, 0, sizeof(*out));
	memcpy(&s.o, o, o->sz < sizeof(s.o) ? o->sz : sizeof(s.o));
	ret = run_first(&s, failing);
	if (!ret)
		ret = shrink(&s, out);
	if (!ret) {
		out->before = s.first->size;
		out->after = s.best->size;
		out->fewest = has_fewest(&s);
		out->selected |= out->fewest;
		out->one_minimal |= out->smallest;
		out->moves_done |= out->smallest;
		out->interrupted = s.interrupted;
		out->runs = s.runs;
		out->seconds = now() - s.start;
		/* The last reference: what it holds goes to the caller. */
		if (s.best == s.first) {
			attempt_put(s.first);
			s.first = NULL;
		}
		out->best = s.best->res;
		memset(&s.best->res, 0, sizeof(s.best->res));
	}
	chess_bug_clear(&s.bug);
	attempt_put(s.first);
	attempt_put(s.best);
	return ret;
}

/**
 * chess_shrink_result_clear() - free what a result owns
 * @res: a result
 */
void chess_shrink_result_clear(struct chess_shrink_result *res)
{
	chess_run_result_clear(&res->best);
	memset(res, 0, sizeof(*res));
}
