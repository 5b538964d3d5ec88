// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The search: ask the strategy for a plan and the executor for a run under it, judge the
 * verdict, give the record back to the strategy; until there is no plan left, a bug was found
 * or a limit is reached.
 *
 *	strategy --next--> plan --run--> result --judge--> stop?
 *	   ^                                 |
 *	   +------------report---------------+
 *
 * It must never say "ok" unless every schedule within the bound was run and followed its
 * prefix: a run that diverged or whose record is incomplete hides the part of the tree after
 * it, and one such run makes the result incomplete. "chessctl explore" calls it with the
 * runner, units with a model.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "record/classes.h"
#include "internal.h"
#include "iroot/iroot.h"
#include "now.h"
#include "race/racing.h"
#include "record/decision.h"
#include "run/pack.h"
#include "search/predict.h"
#include "search/strategy.h"

static const struct chess_strategy_ops *const strategies[] = {
#define STRATEGY_ADDRESS(NAME) &chess_strategy_##NAME,
	CHESS_STRATEGIES(STRATEGY_ADDRESS)
#undef STRATEGY_ADDRESS
};

const char *chess_strategies(void)
{
	static char names[128];
	size_t i;

	if (*names)
		return names;
	for (i = 0; i < ARRAY_SIZE(strategies); i++) {
		if (i)
			strncat(names, ", ", sizeof(names) - strlen(names) - 1);
		strncat(names, strategies[i]->name, sizeof(names) - strlen(names) - 1);
	}
	return names;
}

static const struct chess_strategy_ops *find_strategy(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(strategies); i++)
		if (!name || !strcmp(name, strategies[i]->name))
			return strategies[i];
	chess_set_error(EINVAL, "there is no strategy \"%s\"; choose one of: %s", name,
			chess_strategies());
	return NULL;
}

const char *chess_strategy_counts(const char *strategy)
{
	const struct chess_strategy_ops *ops = find_strategy(strategy);

	return ops ? ops->counts : NULL;
}

bool chess_strategy_is_exhaustive(const char *strategy)
{
	const struct chess_strategy_ops *ops = find_strategy(strategy);

	return ops && !ops->default_runs;
}

bool chess_strategy_has_parts(const char *strategy)
{
	const struct chess_strategy_ops *ops = find_strategy(strategy);

	return ops && ops->begin;
}

/* Do the decisions of @r begin with the prefix? */
static bool followed(const struct chess_record *r, const struct chess_plan *plan)
{
	size_t i, at = 0, length = chess_record_length(r), n = plan->length;

	for (i = 0; i < length && at < n; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (!chess_event_decides(e))
			continue;
		if (e->chosen != chess_schedule_task(plan->prefix, at++))
			return false;
	}
	return at == n;
}

/* What of a result tells that schedules are missing, of which its runs say nothing. */
struct holes {
	uint64_t diverged, record, forced;
	bool why;
};

/**
 * struct ahead - plans that will be asked for
 * @known: so many of them need a run
 * @next: the plan of the strategy that comes after those
 * @tries: so many were put together to see whether they need one
 */
struct ahead {
	size_t known, next;
	unsigned int tries;
};

/**
 * struct search - one call of chess_explore()
 * @x: executes runs
 * @ops: the strategy
 * @state: its data
 * @o: the options, with defaults filled in
 * @out: the result so far
 * @start: when it began
 * @classes: happens-before classes so far, if they are counted
 * @level: the bound after the one that was asked for that was begun last, or zero
 * @holes: of the result when it was begun
 * @predict: runs that need not be made; NULL: all are
 * @checks: of those, how many were made all the same
 * @expected: what the one that is being made should do, or NULL
 * @ahead: how far peek() looked since the last plan
 */
struct search {
	const struct chess_executor *x;
	const struct chess_strategy_ops *ops;
	void *state;
	struct chess_explore_opts o;
	struct chess_explore_result *out;
	double start;
	struct chess_hashset classes;
	unsigned int level;
	struct holes holes;
	struct chess_predict *predict;
	uint64_t checks;
	struct chess_record *expected;
	struct ahead ahead;
};

/* Of so many runs one may be a predicted one, to check. */
#define CHECK_EACH	16
/* How many plans are put together at most to see which of the next ones need a run. */
#define AHEAD_TRIES	16

/* CHESS (OSDI'08, 4.2): what disturbs a replay either is gone the next time or stays. */
#define TRIES	3

/* Why the branch is pruned; the first suspect is a waker that is not under control. */
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

static void prune(struct search *s, const struct chess_run_result *run)
{
	s->out->diverged++;
	if (!s->out->why)
		s->out->why = s->ops->once && run->record &&
			      run->verdict != CHESS_VERDICT_DIVERGED ?
			      strdup(chess_error()) : tell_pruned(run);
}

static double spent(const struct search *s)
{
	return s->o.seconds ? s->o.seconds(s->o.seconds_arg) : chess_now() - s->start;
}

/* Is all done that was asked for, and more begun? */
static bool is_beyond(const struct search *s)
{
	return s->ops->beyond && s->ops->beyond(s->state);
}

static struct holes holes_of(const struct chess_explore_result *out)
{
	return (struct holes){
		.diverged = out->diverged, .record = out->left_out[CHESS_LEFT_OUT_RECORD],
		.forced = out->left_out[CHESS_LEFT_OUT_FORCED], .why = out->why,
	};
}

/* Before a run: a bound beyond what was asked for may begin with it. */
static void note_level(struct search *s)
{
	if (!is_beyond(s) || s->level == s->ops->bound(s->state))
		return;
	s->level = s->ops->bound(s->state);
	s->holes = holes_of(s->out);
}

/* Are schedules missing that were not when @before was made? */
static bool has_hole_since(const struct search *s, const struct holes *before)
{
	const struct holes now = holes_of(s->out);

	return now.diverged != before->diverged || now.record != before->record ||
	       now.forced != before->forced;
}

/* What is claimed does not rest on the runs since then. */
static void forget_holes_since(struct search *s, const struct holes *before)
{
	struct chess_explore_result *out = s->out;

	out->diverged = before->diverged;
	out->left_out[CHESS_LEFT_OUT_RECORD] = before->record;
	out->left_out[CHESS_LEFT_OUT_FORCED] = before->forced;
	if (!before->why) {
		free(out->why);
		out->why = NULL;
	}
}

/*
 * After a run: schedules of a bound beyond what was asked for are missing. It is given up, and
 * what is claimed of the bounds before it stays.
 */
static bool has_new_hole(struct search *s)
{
	if (!s->level || !has_hole_since(s, &s->holes))
		return false;
	forget_holes_since(s, &s->holes);
	return true;
}

static double estimate(const struct search *s);

/* So many times as many runs as there are to be prefixes, and a search is no short one. */
#define LONG	8

/*
 * Do as many prefixes wait as are wanted? Of a search that is estimated to be short half as many
 * are enough: the others may come when little is left to run.
 */
static bool has_enough(const struct search *s)
{
	uint64_t enough = s->o.enough;

	if (!enough || s->out->runs < s->o.enough_runs)
		return false;
	if (s->out->runs && estimate(s) < (double)LONG * enough)
		enough = (enough + 1) / 2;
	return s->ops->waiting(s->state) + 1 >= enough;
}

static bool limit_reached(const struct search *s)
{
	if (s->o.max_runs && s->out->runs >= s->o.max_runs)
		return true;
	if (s->o.levels && s->ops->bound(s->state) >= s->o.levels)
		return true;
	if (has_enough(s))
		return true;
	return s->o.max_seconds > 0 && spent(s) >= s->o.max_seconds;
}

static void drop(const struct search *s, struct chess_run_result *run)
{
	if (s->x->drop)
		s->x->drop(s->x->ctx, run);
	else
		chess_run_result_clear(run);
}

static void note_forced(struct chess_explore_result *out)
{
	out->left_out[CHESS_LEFT_OUT_FORCED]++;
	if (!out->why)
		out->why = strdup("a task that ran for a whole quantum or too many points in a row, or stalled, had to let others go first: schedules in which it does not are missing");
}

/* What it exposed, for strategies that have nothing to do with it. */
static int remember(struct search *s, const struct chess_record *r)
{
	struct chess_iroots *roots = chess_racing_iroots(s->o.racing);
	struct chess_iroot_run run = { 0 };
	int ret = chess_iroot_read(&run, r);

	if (!ret)
		ret = chess_iroots_observe(roots, &run, chess_iroot_window(&s->o));
	if (!ret)
		ret = chess_iroots_report(roots, s->o.memo, &run, r, NULL);
	chess_iroot_run_clear(&run);
	return ret;
}

/* What a run did is known from now on. */
static int learn(struct search *s, const struct chess_record *r)
{
	if (s->expected)
		chess_predict_check(s->predict, s->expected, r);
	return chess_predict_learn(s->predict, r);
}

/*
 * What the result of a run means for the search. Takes over or clears @run.
 * Return: 0; 1: the prefix was not followed, try again; -errno.
 */
static int judge_run(struct search *s, struct chess_plan *plan, struct chess_run_result *run,
		     bool last)
{
	struct chess_explore_result *out = s->out;
	bool bug = chess_verdict_is_bug(run->verdict);
	bool followed_it = true;
	int ret = 0;

	out->expected_runs += !!run->expected;
	if (run->record) {
		if (chess_record_points(run->record) > out->max_points)
			out->max_points = chess_record_points(run->record);
		if (chess_record_tasks(run->record) > out->max_tasks)
			out->max_tasks = chess_record_tasks(run->record);
		out->watchdog_runs += chess_record_has_watchdog(run->record);
	}
	/* A crash is a crash however it was reached; only what would be
	 * derived from its record is worthless when the prefix was not followed.
	 */
	if (run->verdict == CHESS_VERDICT_INCOMPLETE) {
		out->left_out[CHESS_LEFT_OUT_RECORD]++;
		if (!out->why)
			out->why = strdup(chess_error());
	} else if (run->verdict == CHESS_VERDICT_DIVERGED || !run->record ||
		 !followed(run->record, plan)) {
		followed_it = false;
	} else {
		ret = s->ops->report(s->state, plan, run->record);
		followed_it = ret <= 0;
		ret = ret < 0 ? ret : 0;
		if (followed_it && chess_record_was_forced(run->record))
			note_forced(out);
		if (!ret && s->o.count_classes)
			ret = chess_classes_add(&s->classes, run->record);
		if (!ret && followed_it && s->predict)
			ret = learn(s, run->record);
		if (!ret && followed_it && s->o.memo && !s->ops->remembers)
			ret = remember(s, run->record);
	}
	if (!followed_it && !bug && !last) {
		drop(s, run);
		return 1;
	}
	if (!followed_it) {
		prune(s, run);
		if (s->o.left && !ret)
			ret = s->o.left(s->o.left_arg, plan, run);
	}
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

static int count_run(struct chess_explore_result *out, unsigned int bound, bool by_chance)
{
	if (by_chance) {
		out->chance_runs++;
		out->runs++;
		return 0;
	}
	if (bound >= out->n_runs_at) {
		if (chess_array_extend(&out->runs_at, out->n_runs_at, bound + 1,
				       sizeof(*out->runs_at)))
			return -ENOMEM;
		out->n_runs_at = bound + 1;
	}
	out->runs_at[bound]++;
	out->runs++;
	return 0;
}

/*
 * What a run under @plan would do is known: the strategy learns of it without the run. Some are
 * made all the same, to see whether that is so. Return: 1; 0: the run has to be made; -errno.
 */
static int predict(struct search *s, struct chess_plan *plan)
{
	struct chess_record *r = NULL;
	int ret = s->predict ? chess_predict_run(s->predict, plan, &r) : 0;

	if (ret <= 0)
		return ret;
	if (s->o.check_predicted || (s->checks + 1) * CHECK_EACH <= s->out->runs) {
		s->checks++;
		s->expected = r;
		return 0;
	}
	plan->predicted = true;
	ret = s->ops->report(s->state, plan, r);
	chess_record_free(r);
	/* It would not be the run that its prefix is from. */
	plan->predicted = !ret;
	s->out->predicted += !ret;
	return ret < 0 ? ret : !ret;
}

/* One plan, as often as necessary. Return: 0, -EINTR interrupted, -errno. */
static int run_plan(struct search *s, struct chess_plan *plan)
{
	/* The strategy may take the plan apart when the run is judged. */
	bool by_chance = s->ops->mixes && (plan->policy != CHESS_POLICY_KIND_DEFAULT ||
					   plan->unbounded);
	struct chess_run_result run;
	int ret = predict(s, plan), try;

	if (ret)
		return ret < 0 ? ret : 0;
	for (ret = 1, try = 1; ret > 0; try++) {
		run = (struct chess_run_result) {
			.diverged_at = SIZE_MAX, .outside_task = CHESS_TASK_NONE,
		};
		ret = s->x->run(s->x->ctx, plan, &run);
		if (ret)
			return ret;
		s->out->retries += try > 1;
		ret = judge_run(s, plan, &run, s->ops->once || try == TRIES);
	}
	chess_record_free(s->expected);
	s->expected = NULL;
	return ret ? ret : count_run(s->out, s->ops->bound(s->state), by_chance);
}

/* The strategy's is one of schedules, of which as many need no run as so far. */
static double estimate(const struct search *s)
{
	double all = s->ops->estimate ? s->ops->estimate(s->state) : 0;

	if (s->out->predicted && all < CHESS_ESTIMATE_MAX)
		all *= (double)s->out->runs / (s->out->runs + s->out->predicted);
	return all > 0 && all < s->out->runs ? s->out->runs : all;
}

/* Why schedules may be missing, though they seem to have been run. */
static const char *flaw_of(const struct search *s)
{
	const char *flaw = s->ops->flaw ? s->ops->flaw(s->state) : NULL;

	return flaw || !s->predict ? flaw : chess_predict_flaw(s->predict);
}

static bool want_more(struct search *s)
{
	struct chess_explore_progress p = {
		.runs = s->out->runs, .seconds = spent(s),
		.bound = s->ops->bound(s->state), .found = s->out->bugs,
		.estimate = estimate(s), .flaw = flaw_of(s),
		.classes = chess_hashset_count(&s->classes),
	};

	if (s->o.progress && !s->o.progress(s->o.progress_arg, &p))
		s->out->stopped = true;
	if (s->out->stopped)
		return false;
	if (s->ops->once && s->out->diverged)
		return false;
	return !s->out->bugs || s->o.keep_going;
}

static bool is_predicted(struct search *s, const struct chess_plan *plan)
{
	if (!s->predict || s->o.check_predicted || s->ahead.tries >= AHEAD_TRIES)
		return false;
	s->ahead.tries++;
	return chess_predict_knows(s->predict, plan);
}

/*
 * For executors that make runs ahead of time; after the last run there is none. They ask for one
 * plan after another, and get those that need a run, as far as this is looked into.
 */
static int peek(void *search, size_t k, struct chess_plan *plan)
{
	struct search *s = search;
	int ret;

	if (!s->ops->peek || (s->o.max_runs && k + 1 >= s->o.max_runs - s->out->runs))
		return 0;
	if (k < s->ahead.known)
		s->ahead = (struct ahead){ .tries = s->ahead.tries };
	for (;;) {
		ret = s->ops->peek(s->state, s->ahead.next, plan);
		if (ret <= 0)
			return ret;
		s->ahead.next++;
		if (!is_predicted(s, plan) && s->ahead.known++ == k)
			return 1;
		chess_plan_clear(plan);
	}
}

/* Run plans until the end. Return: 1 search over, 0 stopped before, -errno. */
static int search(struct search *s)
{
	struct chess_plan plan;
	struct holes before;
	bool limit, unbounded;
	int ret;

	for (;;) {
		plan = (struct chess_plan) { 0 };
		s->ahead = (struct ahead){ 0 };
		ret = s->ops->next(s->state, &plan);
		if (ret <= 0)
			return ret ? ret : 1;
		limit = limit_reached(s);
		note_level(s);
		before = holes_of(s->out);
		unbounded = plan.unbounded;
		if (!limit)
			ret = run_plan(s, &plan);
		if (s->o.rest && (limit || ret == -EINTR) && s->ops->back(s->state, &plan))
			ret = -ENOMEM;
		s->ops->done(s->state, &plan);
		if (ret == -ENOMEM)
			return ret;
		/* Interrupted: what was found so far is still worth reporting. */
		if ((limit || ret == -EINTR) && is_beyond(s))
			return 1;
		if (limit || ret == -EINTR) {
			s->out->left_out[CHESS_LEFT_OUT_LIMIT]++;
			s->out->stopped = true;
			return 0;
		}
		if (ret)
			return ret;
		if (!want_more(s))
			return 0;
		if (unbounded && has_hole_since(s, &before)) {
			forget_holes_since(s, &before);
			s->ops->give_up(s->state);
		}
		if (has_new_hole(s))
			return 1;
	}
}

/* Zero is in no slot. */
static void tell_classes(const struct search *s)
{
	uint64_t *all;
	size_t i, n = 0;

	if (!s->o.each_class)
		return;
	all = calloc(chess_hashset_count(&s->classes) + 1, sizeof(*all));
	for (i = 0; all && i < s->classes.slots; i++)
		if (s->classes.slot[i])
			all[n++] = s->classes.slot[i];
	n += s->classes.zero;
	if (all)
		s->o.each_class(s->o.class_arg, all, n);
	free(all);
}

/* The part of the result that is known once the search has ended. */
static void conclude(struct search *s, bool over)
{
	const bool beyond = over && is_beyond(s);
	struct chess_explore_result *out = s->out;
	const char *flaw = flaw_of(s);

	out->left_out[CHESS_LEFT_OUT_DIVERGED] = out->diverged;
	if (s->ops->left_out)
		s->ops->left_out(s->state, out->left_out);
	if (s->predict && chess_predict_flaw(s->predict))
		out->left_out[CHESS_LEFT_OUT_UNSOUND]++;
	if (s->ops->covered)
		s->ops->covered(s->state, out);
	if (s->o.memo && !s->ops->remembers)
		chess_iroots_count(chess_racing_iroots(s->o.racing), out);
	if (beyond)
		out->left_out[CHESS_LEFT_OUT_LIMIT] = 0;
	out->complete = over && !s->ops->default_runs && !chess_left_out_hole(out->left_out);
	if (flaw && !out->why)
		out->why = strdup(flaw);
	out->classes = chess_hashset_count(&s->classes);
	tell_classes(s);
	out->bound = s->ops->bound(s->state) - beyond;
	if (s->ops->estimate)
		out->estimate = out->complete ? out->runs : estimate(s);
	if (out->bugs)
		return;
	out->verdict = out->complete ? CHESS_VERDICT_OK : CHESS_VERDICT_INCOMPLETE;
	if (s->ops->once && out->diverged)
		out->verdict = CHESS_VERDICT_DIVERGED;
}

static int check(const struct chess_explore_opts *o, const struct chess_strategy_ops *ops)
{
	unsigned int unknown = ops ? o->reduce & ~ops->reductions : 0;

	if (!ops)
		return -EINVAL;
	if (ops->races && !o->racing)
		return chess_set_error(EINVAL, "the strategy %s holds tasks at accesses that race; make those points: sync,races",
				       ops->name);
	if (o->memo && !o->racing)
		return chess_set_error(EINVAL, "a memo is of accesses that race, and of calls; make those points: sync,races");
	if (o->in_scope && (!ops->left_out || ops->mixes))
		return chess_set_error(EINVAL, "the strategy %s chooses inside the module, which has no scopes; use icb, dfs or delay",
				       ops->name);
	if (o->skip_ordered && !ops->may_skip)
		return chess_set_error(EINVAL, "it is not known what the strategy %s finds when points on ordered objects are left out; use icb or dfs",
				       ops->name);
	if (o->skip_ordered && o->in_scope)
		return chess_set_error(EINVAL, "points on ordered objects cannot be left out in a scope: the points that represent them may be outside of it");
	if (unknown)
		return chess_set_error(EINVAL, "the strategy %s has no reduction by %s; leave it out, or use icb",
				       ops->name, unknown & CHESS_REDUCE_HB ? "happens-before" :
				       unknown & CHESS_REDUCE_SLEEP ? "sleep sets" :
				       unknown & CHESS_REDUCE_YIELD ? "yields" :
				       unknown & CHESS_REDUCE_STATE ? "states" :
				       "dynamic partial orders");
	if ((o->reduce & CHESS_REDUCE_STATE) && o->reduce != CHESS_REDUCE_STATE)
		return chess_set_error(EINVAL, "the reduction by states leaves no way for another reduction to leave out; use it alone");
	if ((o->reduce & CHESS_REDUCE_DPOR) && o->reduce != CHESS_REDUCE_DPOR)
		return chess_set_error(EINVAL, "what another reduction leaves out may be what dynamic partial orders need to see; use one of them");
	if ((o->reduce & CHESS_REDUCE_DPOR) && o->in_scope)
		return chess_set_error(EINVAL, "dynamic partial orders do not go with a scope: the preemptions they need may be outside of it; use happens-before alone");
	if ((o->reduce & CHESS_REDUCE_STATE) && o->in_scope)
		return chess_set_error(EINVAL, "a state does not say what is in scope; use happens-before with a scope");
	if ((o->reduce & CHESS_REDUCE_YIELD) && !(o->reduce & CHESS_REDUCE_HB))
		return chess_set_error(EINVAL, "without happens-before nothing checks the order of yields; use both reductions");
	if ((o->from || o->rest || o->enough) && !ops->begin)
		return chess_set_error(EINVAL, "a search with strategy %s cannot be cut into parts; use icb, dfs or delay",
				       ops->name);
	if ((o->from || o->rest) &&
	    (o->skip_ordered || (o->reduce & CHESS_REDUCE_DPOR) || o->grow_runs))
		return chess_set_error(EINVAL, "a part of a search does not know what the others show, on which %s depends; leave that out",
				       o->skip_ordered ? "the option skip_ordered" : o->reduce & CHESS_REDUCE_DPOR ?
				       "the reduction dpor" : "a bound that rises");
	if (o->reduce && o->skip_ordered)
		return chess_set_error(EINVAL, "points on ordered objects cannot be left out together with a reduction: each relies on schedules that the other one leaves out");
	if ((o->reduce & CHESS_REDUCE_SLEEP) && o->in_scope)
		return chess_set_error(EINVAL, "sleep sets do not go with a scope: the preemptions they keep may be outside of it; use happens-before alone");
	return 0;
}

/**
 * chess_explore_check() - does chess_explore() accept these options?
 * @o: as for chess_explore()
 *
 * Return: 0, or -EINVAL with chess_error().
 */
int chess_explore_check(const struct chess_explore_opts *o)
{
	struct chess_explore_opts all = { 0 };

	memcpy(&all, o, o->sz < sizeof(all) ? o->sz : sizeof(all));
	return check(&all, find_strategy(all.strategy));
}

/**
 * chess_explore() - search the schedules of a program for a bug
 * @x: executes one run
 * @o: bound, limits and strategy
 * @out: what was found; chess_explore_result_clear() it when this returns 0
 *
 * -EINTR from the executor ends the search as a limit does.
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
	ret = check(&s.o, s.ops);
	if (ret)
		return ret;
	if (!s.o.max_runs && s.o.max_seconds <= 0)
		s.o.max_runs = s.ops->default_runs;
	if (s.o.reduce & CHESS_REDUCE_DPOR) {
		s.predict = chess_predict_new(chess_racing_has_points(s.o.racing));
		if (!s.predict)
			return -errno;
	}
	s.state = s.ops->new(&s.o);
	if (!s.state) {
		chess_predict_free(s.predict);
		return -errno;
	}
	s.start = chess_now();
	if (s.o.from) {
		ret = s.ops->begin(s.state, s.o.from);
		if (ret) {
			s.ops->free(s.state);
			return ret;
		}
	}
	if (x->ahead)
		x->ahead(x->ctx, peek, &s);
	ret = search(&s);
	if (x->ahead)
		x->ahead(x->ctx, NULL, NULL);
	out->seconds = spent(&s);
	if (ret >= 0)
		conclude(&s, ret);
	if (ret >= 0 && s.o.rest && s.ops->leave(s.state, s.o.rest)) {
		chess_explore_result_clear(out);
		ret = -ENOMEM;
	} else if (ret < 0) {
		chess_explore_result_clear(out);
	}
	s.ops->free(s.state);
	chess_predict_free(s.predict);
	chess_record_free(s.expected);
	chess_hashset_clear(&s.classes);
	return ret < 0 ? ret : 0;
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
