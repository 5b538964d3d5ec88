// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The search: ask the strategy for a prefix, the executor for a run under it,
 * look at the verdict, give the record back to the strategy; until there is no
 * prefix left, a bug was found or a limit is reached.
 *
 *	strategy --next--> prefix --run--> result --judge--> stop?
 *	   ^                                 |
 *	   +------------report---------------+
 *
 * It must never say "ok" unless every schedule within the bound was run and
 * followed its prefix: a run that diverged or whose record is incomplete hides
 * the part of the tree behind it, and one such run makes the result incomplete.
 * chessctl's explore calls it with the runner, units with a model.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "internal.h"
#include "strategy.h"
#include "verdict.h"

static const struct chess_strategy_ops *const strategies[] = {
	&chess_strategy_icb,
};

static const struct chess_strategy_ops *find_strategy(const char *name)
{
	char names[256] = "";
	size_t i;

	for (i = 0; i < ARRAY_SIZE(strategies); i++) {
		if (!name || !strcmp(name, strategies[i]->name))
			return strategies[i];
		if (i)
			strncat(names, ", ", sizeof(names) - strlen(names) - 1);
		strncat(names, strategies[i]->name, sizeof(names) - strlen(names) - 1);
	}
	chess_set_error(EINVAL, "there is no strategy \"%s\"; choose one of: %s", name, names);
	return NULL;
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* Do the decisions of @r begin with @prefix? */
static bool followed(const struct chess_record *r, const struct chess_schedule *prefix)
{
	size_t i, at = 0, length = chess_record_length(r), n = chess_schedule_length(prefix);

	for (i = 0; i < length && at < n; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (!chess_event_decides(e))
			continue;
		if (e->chosen != chess_schedule_task(prefix, at++))
			return false;
	}
	return at == n;
}

/**
 * struct search - one call of chess_explore()
 * @x: who executes runs
 * @ops: the strategy
 * @state: its data
 * @o: what was asked for, with defaults filled in
 * @out: the result so far
 * @start: when it began
 * @incomplete: runs whose record is not the whole run
 */
struct search {
	const struct chess_executor *x;
	const struct chess_strategy_ops *ops;
	void *state;
	struct chess_explore_opts o;
	struct chess_explore_result *out;
	double start;
	uint64_t incomplete;
};

/* CHESS (OSDI'08, 4.2): what disturbs a replay is gone the next time, or stays. */
#define TRIES	3

/* Why the branch is pruned; who woke a task from outside is the first suspect. */
static char *tell_pruned(const struct chess_run_result *run)
{
	char *text, who[128] = "", where[64] = "to other points";

	if (run->record && run->outside_task != CHESS_TASK_NONE)
		snprintf(who, sizeof(who), "; T%u was last woken by %s", run->outside_task,
			 "an interrupt");
	if (*who && *run->outside_comm)
		snprintf(who, sizeof(who),
			 "; T%u was last woken by '%s' (pid %u), which is not under control",
			 run->outside_task, run->outside_comm, run->outside_pid);
	if (run->diverged_at != SIZE_MAX)
		snprintf(where, sizeof(where), "only up to decision %zu", run->diverged_at + 1);
	if (asprintf(&text, "a prefix was followed %s, in each of %d tries%s", where, TRIES,
		     who) < 0)
		return NULL;
	return text;
}

static void prune(struct chess_explore_result *out, const struct chess_run_result *run)
{
	out->diverged++;
	if (!out->why)
		out->why = tell_pruned(run);
}

static bool limit_reached(const struct search *s)
{
	if (s->o.max_runs && s->out->runs >= s->o.max_runs)
		return true;
	return s->o.max_seconds > 0 && now() - s->start >= s->o.max_seconds;
}

static void drop(const struct search *s, struct chess_run_result *run)
{
	if (s->x->drop)
		s->x->drop(s->x->ctx, run);
	else
		chess_run_result_clear(run);
}

/*
 * What the result of a run means for the search. Takes over or clears @run.
 * Return: 0; 1: the prefix was not followed, try again; -errno.
 */
static int judge_run(struct search *s, const struct chess_schedule *prefix,
		     struct chess_run_result *run, bool last)
{
	struct chess_explore_result *out = s->out;
	bool bug = chess_verdict_is_bug(run->verdict);
	bool followed_it = true;
	int ret = 0;

	if (run->record) {
		if (chess_record_points(run->record) > out->max_points)
			out->max_points = chess_record_points(run->record);
		if (chess_record_tasks(run->record) > out->max_tasks)
			out->max_tasks = chess_record_tasks(run->record);
	}
	/* A crash is a crash on whatever way it was reached; only what would be
	 * derived from its record is worthless when the prefix was not followed.
	 */
	if (run->verdict == CHESS_VERDICT_INCOMPLETE) {
		s->incomplete++;
		if (!out->why)
			out->why = strdup(chess_error());
	} else if (run->verdict == CHESS_VERDICT_DIVERGED || !run->record ||
		 !followed(run->record, prefix)) {
		followed_it = false;
	} else {
		ret = s->ops->report(s->state, run->record);
		followed_it = ret <= 0;
		ret = ret < 0 ? ret : 0;
	}
	if (!followed_it && !bug && !last) {
		drop(s, run);
		return 1;
	}
	if (!followed_it)
		prune(out, run);
	if (bug && s->o.found && !ret)
		ret = s->o.found(s->o.found_arg, run);
	if (bug && !out->bugs++) {
		out->bad = *run;
		out->verdict = run->verdict;
	} else {
		drop(s, run);
	}
	return ret;
}

static int count_run(struct chess_explore_result *out, unsigned int bound)
{
	uint64_t *at = out->runs_at;

	if (bound >= out->n_runs_at) {
		at = realloc(at, (bound + 1) * sizeof(*at));
		if (!at)
			return -ENOMEM;
		memset(at + out->n_runs_at, 0, (bound + 1 - out->n_runs_at) * sizeof(*at));
		out->runs_at = at;
		out->n_runs_at = bound + 1;
	}
	at[bound]++;
	out->runs++;
	return 0;
}

/* Run prefixes until the end. Return: 1 search over, 0 stopped before, -errno. */
static int search(struct search *s)
{
	const struct chess_executor *x = s->x;
	const struct chess_schedule *prefix;
	struct chess_run_result run;
	int ret, try;

	for (;;) {
		ret = s->ops->next(s->state, &prefix);
		if (ret <= 0)
			return ret ? ret : 1;
		if (limit_reached(s))
			return 0;
		for (try = 1, ret = 1; ret > 0; try++) {
			run = (struct chess_run_result) {
				.diverged_at = SIZE_MAX, .outside_task = CHESS_TASK_NONE,
			};
			ret = x->run(x->ctx, prefix, chess_schedule_length(prefix), &run);
			/* Interrupted: what was found so far is still worth telling. */
			if (ret == -EINTR)
				return 0;
			if (ret)
				return ret;
			s->out->retries += try > 1;
			ret = judge_run(s, prefix, &run, try == TRIES);
		}
		if (ret)
			return ret;
		ret = count_run(s->out, s->ops->bound(s->state));
		if (ret)
			return ret;
		if (s->o.progress &&
		    !s->o.progress(s->o.progress_arg, s->out->runs, now() - s->start,
				   s->ops->bound(s->state), s->out->bugs))
			return 0;
		if (s->out->bugs && !s->o.keep_going)
			return 0;
	}
}

/**
 * chess_explore_check() - can chess_explore() be asked for this?
 * @o: as for chess_explore()
 *
 * Return: 0, or -EINVAL with chess_error().
 */
int chess_explore_check(const struct chess_explore_opts *o)
{
	struct chess_explore_opts all = { 0 };

	memcpy(&all, o, o->sz < sizeof(all) ? o->sz : sizeof(all));
	return find_strategy(all.strategy) ? 0 : -EINVAL;
}

/**
 * chess_explore() - search the schedules of a program for a bug
 * @x: who executes one run
 * @o: bound, limits and strategy
 * @out: what was found; chess_explore_result_clear() it when this returns 0
 *
 * -EINTR from the executor ends the search like a limit does.
 *
 * Return: 0, or a negative errno with chess_error() when no result can be given.
 */
int chess_explore(const struct chess_executor *x, const struct chess_explore_opts *o,
		  struct chess_explore_result *out)
{
	struct search s = { .x = x, .out = out };
	int ret;

	memset(out, 0, sizeof(*out));
	memcpy(&s.o, o, o->sz < sizeof(s.o) ? o->sz : sizeof(s.o));
	s.ops = find_strategy(s.o.strategy);
	if (!s.ops)
		return -EINVAL;
	s.state = s.ops->new(&s.o);
	if (!s.state)
		return -errno;
	s.start = now();
	ret = search(&s);
	out->seconds = now() - s.start;
	if (ret >= 0) {
		out->complete = ret && !out->diverged && !s.incomplete;
		out->bound = s.ops->bound(s.state);
		if (!out->bugs)
			out->verdict = out->complete ? CHESS_VERDICT_OK : CHESS_VERDICT_INCOMPLETE;
		ret = 0;
	} else {
		chess_explore_result_clear(out);
	}
	s.ops->free(s.state);
	return ret;
}

/**
 * chess_explore_result_clear() - free what a result owns
 * @res: a result
 */
void chess_explore_result_clear(struct chess_explore_result *res)
{
	chess_run_result_clear(&res->bad);
	free(res->runs_at);
	free(res->why);
	memset(res, 0, sizeof(*res));
}
