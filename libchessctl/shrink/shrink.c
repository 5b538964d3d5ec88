// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From a failing schedule to the smallest one that shows the same bug: fewest
 * preemptions, then fewest context switches, then fewest points. What the answer
 * guarantees is in docs/strategies.md, "Shrink"; nothing is said that was not run.
 *
 * A run is a list of choices in which it leaves the default policy (deviate.h); how
 * they are taken in other runs is in attempt.c.
 *
 *	cut	of a livelock: keep the first few choices, then more, as what repeats itself
 *		repeats itself without those that are made in it
 *	drop	take choices away, in halves, quarters, .. one by one (ddmin), until
 *		none can be taken away alone
 *	join	make one choice of two: the one chosen last continues where the first was
 *		taken, and who went on in between does not
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

#include "search/forks.h"
#include "shrink/attempt.h"
#include "internal.h"

/* The best run without @count of its choices, from number @first on. */
static int without(struct shrink *s, size_t first, size_t count)
{
	struct chess_attempt *best = s->best;
	size_t length = best->choice[first].at;
	int ret;

	best->refs++;
	ret = chess_attempt_follow(s, chess_prefix_of(best->res.record, length, CHESS_TASK_NONE),
				   length, best->choice + first + count,
				   best->size.choices - first - count);
	chess_attempt_put(best);
	return ret;
}

/* A run that is cut too early ends; one that is not goes on for as long as the first one. */
static int cut(struct shrink *s)
{
	const struct chess_attempt *first = s->best;
	size_t keep, n = first->size.choices;
	int ret = 0;

	for (keep = 4; !ret && keep < n && s->best == first; keep *= 2)
		ret = without(s, keep, n - keep);
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
			struct chess_attempt *best = s->best;

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

/* May the best run choose @task at its decision number @at? */
static int may_choose(const struct chess_attempt *best, size_t at, uint16_t task, bool *may)
{
	struct chess_walk w;
	int ret = chess_walk_begin(&w, best->res.record);

	*may = false;
	while (!ret && chess_walk_next(&w)) {
		if (w.here.at != at)
			continue;
		*may = chess_walk_may(&w, task);
		break;
	}
	chess_walk_end(&w);
	return ret;
}

/* The best run with its choices from number @first to @last made one. */
static int joined(struct shrink *s, size_t first, size_t last)
{
	struct chess_attempt *best = s->best;
	size_t at = best->choice[first].at;
	uint16_t task = best->choice[last].chosen;
	bool may;
	int ret = may_choose(best, at, task, &may);

	/* To take away what is after the first is the same where both choose one task. */
	if (ret || !may || task == best->choice[first].chosen)
		return ret;
	best->refs++;
	ret = chess_attempt_follow(s, chess_prefix_of(best->res.record, at, task), at + 1,
				   best->choice + last + 1, best->size.choices - last - 1);
	chess_attempt_put(best);
	return ret;
}

/*
 * Where many tasks were left in front of what would spoil the bug, no choice can be taken
 * away: the task that is not left goes on and spoils it. One left alone may be enough, if
 * the others do not come at all. What leaves out most goes first; after a smaller run all
 * starts again.
 */
static int join(struct shrink *s)
{
	size_t between = s->best->size.choices, first;
	int ret;

	while (between-- > 1) {
		for (first = 0; first + between < s->best->size.choices; first++) {
			const struct chess_attempt *best = s->best;

			ret = joined(s, first, first + between);
			if (ret)
				return ret;
			if (s->best == best)
				continue;
			between = s->best->size.choices;
			break;
		}
	}
	return 0;
}

/* explore.c asks here for its runs. */
static int search_run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct shrink *s = ctx;
	int ret = chess_attempt_execute(s, plan, out);

	return ret == STAGE_OVER ? -EINTR : ret;
}

/* A failing run of the search is explore.c's: the same schedule once more is ours. */
static int search_found(void *arg, const struct chess_run_result *bad)
{
	struct chess_shrink_size size = chess_shrink_size_of(bad->record);
	struct shrink *s = arg;
	struct chess_bug bug;
	struct chess_attempt *a;
	bool same;
	int ret;

	if (!chess_attempt_smaller(&size, &s->best->size))
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
	ret = chess_attempt_run(s, chess_prefix_of(bad->record, SIZE_MAX, CHESS_TASK_NONE), &a);
	if (!ret)
		chess_attempt_put(a);
	return ret == STAGE_OVER ? 0 : ret;
}

static bool search_goes_on(void *arg, const struct chess_explore_progress *p)
{
	const struct shrink *s = arg;

	return p->bound <= s->best->size.preemptions;
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
	/* A run that did not follow, or has no whole record, hides what is after it. */
	if (!res.diverged && !res.why)
		s->levels = res.complete ? res.bound + 1 : res.bound;
	chess_explore_result_clear(&res);
	return 0;
}

/*
 * All ways to take choices of the first run after @prefix, with @left preemptions
 * more. @prefix is freed.
 */
static int select_behind(struct shrink *s, struct chess_schedule *prefix, size_t length,
			 size_t left)
{
	const struct chess_attempt *first = s->first;
	struct chess_walk w;
	struct chess_attempt *a;
	size_t i;
	int ret;

	ret = chess_attempt_run(s, prefix, &a);
	if (ret || !chess_attempt_whole(a)) {
		chess_attempt_put(a);
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
	chess_attempt_put(a);
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
 * @a is the best run up to its choice number @at, the default after it. Take any one
 * other choice there, then those that followed.
 */
static int replace_choice(struct shrink *s, const struct chess_attempt *a, size_t at)
{
	struct chess_attempt *best = s->best;
	const struct chess_deviation *list = best->choice;
	size_t behind = at ? list[at - 1].at + 1 : 0, preemptions = 0, t;
	struct chess_walk w;
	int ret = chess_walk_begin(&w, a->res.record);

	best->refs++;
	while (!ret && chess_walk_next(&w) && s->best == best) {
		for (t = 0; t < chess_forks_ways(a->res.record, w.i) && w.here.at >= behind &&
		     !ret && s->best == best; t++) {
			if (!chess_walk_may(&w, t) ||
			    preemptions + chess_walk_cost(&w, t) > best->size.preemptions ||
			    (chess_deviation_fits(&list[at], &w) && t == list[at].chosen))
				continue;
			ret = chess_attempt_follow(s, chess_prefix_of(a->res.record, w.here.at, t),
						   w.here.at + 1, list + at + 1,
						   best->size.choices - at - 1);
		}
		preemptions += chess_record_is_preemption(a->res.record, w.i);
	}
	chess_walk_end(&w);
	chess_attempt_put(best);
	return ret;
}

static int move(struct shrink *s)
{
	struct chess_attempt *a;
	size_t at;
	int ret;

	for (at = 0; at < s->best->size.choices;) {
		const struct chess_attempt *best = s->best;

		ret = chess_attempt_run(s, chess_prefix_of(best->res.record, best->choice[at].at,
						 CHESS_TASK_NONE), &a);
		if (ret)
			return ret;
		if (s->best == best && chess_attempt_whole(a))
			ret = replace_choice(s, a, at);
		chess_attempt_put(a);
		if (ret)
			return ret;
		at = s->best == best ? at + 1 : 0;
	}
	return 0;
}

/* drop and move, until neither helps. */
static int polish(struct shrink *s, struct chess_shrink_result *out)
{
	struct chess_attempt *best;
	int ret;

	do {
		chess_attempt_stage(s, "drop", 0.75);
		ret = drop(s);
		if (ret)
			return ret;
		out->one_minimal = true;
		best = s->best;
		chess_attempt_stage(s, "move", 1);
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
	int ret = 0;

	if (s->bug.verdict == CHESS_VERDICT_LIVELOCK) {
		chess_attempt_stage(s, "cut", 0.5);
		ret = cut(s);
	}
	if (ret >= 0) {
		chess_attempt_stage(s, "drop", 0.5);
		ret = drop(s);
	}
	out->one_minimal = !ret;
	if (s->o.drop_only)
		return ret < 0 ? ret : 0;
	if (ret >= 0 && !s->interrupted && s->best->size.preemptions > 1) {
		const struct chess_attempt *best = s->best;

		chess_attempt_stage(s, "join", 0.25);
		ret = join(s);
		out->one_minimal &= best == s->best;
	}
	if (ret >= 0 && !s->interrupted) {
		const struct chess_attempt *best = s->best;

		chess_attempt_stage(s, "search", 0.5);
		ret = search(s);
		out->one_minimal &= best == s->best;
	}
	out->smallest = ret >= 0 && s->best->size.preemptions < s->levels;
	if (ret < 0 || out->smallest || s->interrupted)
		return ret < 0 ? ret : 0;
	if (!has_fewest(s)) {
		chess_attempt_stage(s, "select", 0.5);
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

	chess_attempt_stage(s, "check", 1);
	ret = chess_attempt_run(s, chess_prefix_of(failing, SIZE_MAX, CHESS_TASK_NONE), &s->first);
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
	struct shrink s;
	int ret;

	memset(out, 0, sizeof(*out));
	chess_attempt_begin(&s, x, o);
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
		out->seconds = chess_attempt_seconds(&s);
		/* The last reference: what it holds goes to the caller. */
		if (s.best == s.first) {
			chess_attempt_put(s.first);
			s.first = NULL;
		}
		out->best = s.best->res;
		memset(&s.best->res, 0, sizeof(s.best->res));
	}
	chess_bug_clear(&s.bug);
	chess_attempt_put(s.first);
	chess_attempt_put(s.best);
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
