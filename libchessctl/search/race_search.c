// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A search whose points are the accesses that race in its own runs (CHESS, OSDI'08, 3.5).
 * Each run is searched for races. When one shows accesses that were not points, they become
 * points, and the search begins again at bound 0: with them each schedule splits into several,
 * and a prefix of the old tree means nothing in the new one. Runs made before still count.
 *
 * So the last search has had all points from its first run on, and none of its runs showed
 * another race: what it claims about its bound holds for that set of points.
 *
 *	chess_explore() --plan--> run --accesses--> chess_racing_learn()
 *	      ^                                          |
 *	      +----- again, with more points <-----------+
 *
 * The search also begins again when a run executed code of files that had no traps (later.c):
 * from then on they have some. Sites then have other numbers, so what raced is forgotten. Where
 * accesses are not points, this is the only reason to begin again.
 *
 * And it begins again when a task takes many points in a row that concern no other task (rows.h):
 * from then on it may take many more of them before others go first.
 *
 * A task that uses up its quantum waits in a loop, or it computes for long. When one does so for
 * the first time, the same run is made again with a longer quantum. If none is used up then, that
 * run counts, and the longer quantum is kept: else where a run is cut would depend on the speed of
 * the machine.
 *
 * Where reductions cannot be trusted, since not everything is examined, a reduced search comes
 * first: it shows what there is to be found in far fewer runs, and what it has done is part of the
 * result. The search without reductions, which alone can say that there is no bug, comes after it.
 *
 * Random strategies continue their sequence of draws, as otherwise they would draw the same
 * again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "now.h"
#include "race/racing.h"
#include "race/unseen.h"
#include "record/rows.h"
#include "search/frontier.h"
#include "search/strategy.h"

/**
 * struct race_search - one call of chess_explore_races()
 * @x: makes the runs
 * @o: the options
 * @ro: those about races
 * @out: the result of the searches that are over
 * @grown: a run of the current search, its last one, showed new points
 * @flawed: or that reductions leave out what matters, where the caller did not request them
 * @unreduced: so later searches have none
 * @came: number of files seen in a run that are to have traps
 * @rows: a run of the current search showed that rows should be longer
 * @long_rows: they may be
 * @patience: what is known of the quantum
 * @ended: the caller ended the search
 * @is_prelude: the current search is the prelude to the one that was requested
 * @index: runs of the current search that have begun
 * @peek: that search's, with @peek_arg
 * @start: when it began
 */
struct race_search {
	const struct chess_executor *x;
	enum { PATIENCE_UNKNOWN, PATIENCE_HELPS, PATIENCE_IN_VAIN } patience;
	struct chess_explore_opts o;
	const struct chess_race_search_opts *ro;
	struct chess_race_search_result *out;
	bool grown, flawed, unreduced, rows, long_rows, ended, is_prelude;
	uint64_t index;
	chess_peek *peek;
	void *peek_arg;
	size_t came;
	double start;
};

/*
 * With sparing, accesses are recorded in every run as long as instructions make no more than LIGHT
 * of them in a run: they take a tenth of the time that starting a process takes. Of a program with
 * more, a block of runs is recorded, in a row since traps are set again where that changes;
 * another block comes after FIRST runs, and each time their number has grown by a factor of
 * GROWTH. A block is of BLOCK runs, or of fewer where these would make more than BLOCK_ACCESSES.
 * All of it depends on the runs only.
 */
#define LIGHT		2000
#define BLOCK		8
#define BLOCK_ACCESSES	128000
#define FIRST		64
#define GROWTH		4

/* Are accesses recorded in run number @i of a search, counted from 0? */
static bool is_recorded(const struct race_search *s, uint64_t i)
{
	uint64_t accesses, from, block;

	if (!s->ro->sparing || !s->o.racing)
		return true;
	if (s->out->gave_up)
		return false;
	accesses = chess_racing_trapped(s->o.racing);
	if (accesses <= LIGHT * s->out->recorded_runs)
		return true;
	block = BLOCK_ACCESSES / (accesses / s->out->recorded_runs);
	block = block > BLOCK ? BLOCK : block ? block : 1;
	for (from = FIRST; i >= from + block; from *= GROWTH)
		if (from > UINT64_MAX / GROWTH / 2)
			return false;
	return i < block || i >= from;
}

/* The longer quantum is so many times the usual one: a loop that waits takes as long once. */
#define PATIENCE	4

static double seconds(void *arg)
{
	const struct race_search *s = arg;

	return s->o.seconds ? s->o.seconds(s->o.seconds_arg) : chess_now() - s->start;
}

/* Run number @runs showed that reductions leave out what matters. */
static void note_flaw(struct race_search *s, uint64_t runs, const char *flaw)
{
	s->flawed = true;
	s->unreduced = true;
	if (s->ro->flawed)
		s->ro->flawed(s->ro->arg, runs, flaw);
}

/* A program that is too slow with its accesses recorded may be fast enough without. */
static int run_plan(struct race_search *s, struct chess_plan *plan, struct chess_run_result *res)
{
	int ret;

	plan->unrecorded = !is_recorded(s, s->index++);
	ret = s->x->run(s->x->ctx, plan, res);
	if (ret || plan->unrecorded)
		return ret;
	s->out->recorded_runs++;
	if (!s->ro->sparing || res->verdict != CHESS_VERDICT_TIMEOUT)
		return 0;
	chess_run_result_clear(res);
	s->out->gave_up = true;
	if (s->ro->may_reduce && s->out->reduced && !s->out->is_first)
		note_flaw(s, s->out->all.runs + s->index,
			  "accesses to memory are not recorded any more");
	plan->unrecorded = true;
	return s->x->run(s->x->ctx, plan, res);
}

static void drop(void *ctx, struct chess_run_result *res)
{
	struct race_search *s = ctx;

	if (s->x->drop)
		s->x->drop(s->x->ctx, res);
	else
		chess_run_result_clear(res);
}

static bool has_quantum(const struct chess_run_result *res)
{
	size_t i, n = res->record ? chess_record_length(res->record) : 0;

	for (i = 0; i < n; i++)
		if (chess_record_event(res->record, i)->type == CHESS_EVENT_QUANTUM)
			return true;
	return false;
}

/* Did a longer quantum make it a run that no quantum cuts? */
static bool is_better(const struct chess_run_result *res)
{
	return res->record && !has_quantum(res) && res->verdict != CHESS_VERDICT_TIMEOUT &&
	       res->verdict != CHESS_VERDICT_DIVERGED && res->verdict != CHESS_VERDICT_INCOMPLETE;
}

/* Once in a search: does the task whose quantum was used up need only more time? */
static int be_patient(struct race_search *s, const struct chess_plan *plan,
		      struct chess_run_result *res)
{
	struct chess_run_result again = {
		.diverged_at = SIZE_MAX, .outside_task = CHESS_TASK_NONE,
	};
	int ret;

	if (!s->ro->set_quantum || s->patience != PATIENCE_UNKNOWN || !has_quantum(res) ||
	    chess_verdict_is_bug(res->verdict))
		return 0;
	s->patience = PATIENCE_IN_VAIN;
	ret = s->ro->set_quantum(s->ro->arg, PATIENCE);
	if (ret)
		return ret;
	ret = s->x->run(s->x->ctx, plan, &again);
	if (ret)
		return ret;
	if (!is_better(&again)) {
		drop(s, &again);
		return s->ro->set_quantum(s->ro->arg, 1);
	}
	drop(s, res);
	*res = again;
	s->patience = PATIENCE_HELPS;
	if (s->ro->quantum_grew)
		s->ro->quantum_grew(s->ro->arg, s->out->all.runs + s->index);
	return 0;
}

static int learn(struct race_search *s, const struct chess_run_result *res)
{
	int came = s->ro->later ? chess_later_learn(s->ro->later, res) : 0, ret = 0;

	if (came >= 0 && s->o.racing)
		ret = chess_racing_learn(s->o.racing, res);
	if (came < 0 || ret < 0)
		return came < 0 ? came : ret;
	s->came += came;
	s->grown = s->grown || came || ret;
	if (s->ro->set_long_rows && !s->long_rows && !s->rows && res->record) {
		ret = chess_rows_should_be_longer(res->record);
		if (ret < 0)
			return ret;
		s->rows = ret;
	}
	/* An op on a stack depends on what its owner does there, and that is not seen. */
	if (s->o.racing && chess_racing_stacks(s->o.racing) && s->ro->may_reduce &&
	    s->out->reduced && !s->out->is_first && !s->flawed)
		note_flaw(s, s->out->all.runs + s->index,
			  "a task uses the stack of another one, where functions may have returned");
	return 0;
}

static int run(void *ctx, const struct chess_plan *plan, struct chess_run_result *res)
{
	struct race_search *s = ctx;
	struct chess_plan mine = *plan;
	int ret = run_plan(s, &mine, res);

	if (ret)
		return ret;
	ret = be_patient(s, &mine, res);
	if (!ret)
		ret = learn(s, res);
	if (ret)
		chess_run_result_clear(res);
	return ret;
}

/* Run number @index is the current one, or the next where none is running. */
static int peek_marked(void *search, size_t k, struct chess_plan *plan)
{
	const struct race_search *s = search;
	int ret = s->peek(s->peek_arg, k, plan);

	plan->unrecorded = !is_recorded(s, s->index + k);
	return ret;
}

static void ahead(void *ctx, chess_peek *peek, void *search)
{
	struct race_search *s = ctx;

	s->peek = peek;
	s->peek_arg = search;
	if (s->x->ahead)
		s->x->ahead(s->x->ctx, peek ? peek_marked : NULL, s);
}

static bool progress(void *arg, const struct chess_explore_progress *p)
{
	struct race_search *s = arg;
	struct chess_explore_progress all = *p;

	all.runs += s->out->all.runs;
	all.found += s->out->all.bugs;
	all.estimate = s->is_prelude || p->estimate <= 0 ? 0 : p->estimate + s->out->all.runs;
	s->ended = s->o.progress && !s->o.progress(s->o.progress_arg, &all);
	/* Accesses that are about to be points may be the reason, or rows that may be longer. */
	if (p->flaw && s->ro->may_reduce && !s->grown && !s->rows && !s->flawed)
		note_flaw(s, all.runs, p->flaw);
	return !s->ended && !s->grown && !s->rows && !s->flawed;
}

/* A search that began again knows of no pairs from before; of its runs all count. */
static void add_shares(struct chess_explore_result *all, const struct chess_explore_result *one)
{
	unsigned int i;

	all->pairs = one->pairs;
	all->pairs_kernel = one->pairs_kernel;
	all->pairs_known = one->pairs_known;
	all->plans_kept = one->plans_kept;
	all->shared |= one->shared;
	for (i = 0; i < CHESS_SHARES; i++) {
		all->share_runs[i] += one->share_runs[i];
		all->share_classes[i] += one->share_classes[i];
		all->share_iroots[i] += one->share_iroots[i];
	}
}

/* Runs by preemptions, of all searches. */
static int add_runs(struct chess_explore_result *all, const struct chess_explore_result *one)
{
	size_t i;

	if (one->n_runs_at > all->n_runs_at) {
		if (chess_array_extend(&all->runs_at, all->n_runs_at, one->n_runs_at,
				       sizeof(*all->runs_at)))
			return chess_set_error(ENOMEM, "no memory for a result");
		all->n_runs_at = one->n_runs_at;
	}
	for (i = 0; i < one->n_runs_at; i++)
		all->runs_at[i] += one->runs_at[i];
	all->runs += one->runs;
	all->chance_runs += one->chance_runs;
	all->delay_runs += one->delay_runs;
	all->predicted += one->predicted;
	all->unbounded_runs += one->unbounded_runs;
	all->watchdog_runs += one->watchdog_runs;
	all->retries += one->retries;
	all->expected_runs += one->expected_runs;
	all->bugs += one->bugs;
	if (one->max_points > all->max_points)
		all->max_points = one->max_points;
	if (one->max_tasks > all->max_tasks)
		all->max_tasks = one->max_tasks;
	return 0;
}

/* The first bug of all searches is the one that is reported. */
static void keep_bug(struct chess_explore_result *all, struct chess_explore_result *one)
{
	if (!one->bugs || all->bad.record)
		return;
	all->bad = one->bad;
	all->verdict = one->verdict;
	memset(&one->bad, 0, sizeof(one->bad));
}

static bool is_whole(const struct race_search *s)
{
	struct chess_racing_counts c = { 0 };
	size_t retired = 0;

	if (s->o.racing) {
		c = chess_racing_count(s->o.racing);
		chess_racing_retired(s->o.racing, &retired);
	}
	return !c.lost && !c.forgotten && !c.dropped && !retired;
}

static void make_incomplete(struct chess_explore_result *all, const char *why)
{
	all->complete = false;
	all->verdict = CHESS_VERDICT_INCOMPLETE;
	if (!all->why)
		all->why = strdup(why);
}

/* The parts of the result that only the last search knows. */
static void conclude(const struct race_search *s, struct chess_explore_result *all,
		     struct chess_explore_result *one)
{
	all->complete = one->complete;
	all->bound = one->bound;
	all->diverged = one->diverged;
	all->classes = one->classes;
	all->stopped = one->stopped || s->is_prelude || s->out->is_first;
	all->estimate = one->estimate > 0 ? one->estimate + all->runs - one->runs : 0;
	memcpy(all->left_out, one->left_out, sizeof(all->left_out));
	memcpy(all->iroots, one->iroots, sizeof(all->iroots));
	memcpy(all->iroots_exposed, one->iroots_exposed, sizeof(all->iroots_exposed));
	memcpy(all->iroots_before, one->iroots_before, sizeof(all->iroots_before));
	memcpy(all->iroots_given_up, one->iroots_given_up, sizeof(all->iroots_given_up));
	all->delay_levels = one->delay_levels;
	add_shares(all, one);
	all->unbounded = one->unbounded;
	all->why = one->why;
	one->why = NULL;
	if (!all->bad.record)
		all->verdict = one->verdict;
	s->out->outgrown = s->o.from && (s->grown || s->rows);
	if (s->out->outgrown && !all->bad.record) {
		make_incomplete(all, s->came ? "a run executed code of a file that has no traps yet, so the search is to be split again" :
				s->rows ? "a task took many points in a row that concern no other task, so the search is to be split again" :
				"a run showed accesses that race and are not points yet, so the search is to be split again");
		return;
	}
	if (all->verdict == CHESS_VERDICT_OK && s->out->is_first) {
		make_incomplete(all, "only one schedule for each order of the operations at points was run, which may leave out too much");
		return;
	}
	if (all->verdict == CHESS_VERDICT_OK && s->o.racing &&
	    chess_racing_unseen(s->o.racing)) {
		make_incomplete(all, chess_unseen_text(chess_racing_unseen(s->o.racing)));
		return;
	}
	/* A caller that requests sparing gets the share of recorded runs instead. */
	if (s->ro->sparing || is_whole(s) || all->verdict != CHESS_VERDICT_OK)
		return;
	make_incomplete(all, "accesses to memory were not recorded or not kept, so races, and points with them, may be missing");
}

/* Is there to be another search after this one? One that grew was stopped by us. */
static bool goes_on(const struct race_search *s, const struct chess_explore_result *one)
{
	const struct chess_explore_result *all = &s->out->all;

	/* The other parts of the search would have to begin again, too. */
	if (s->o.from || s->ended || (all->bad.record && !s->o.keep_going))
		return false;
	if (s->o.max_runs && all->runs >= s->o.max_runs)
		return false;
	return s->grown || s->rows || s->flawed ||
	       ((s->is_prelude || s->out->is_first) && !one->stopped);
}

static void tell(const struct race_search *s)
{
	const uint64_t runs = s->out->all.runs;
	size_t n = 0;

	if (s->came && s->ro->came)
		s->ro->came(s->ro->arg, runs, s->came);
	if (s->rows && s->ro->rows_grew)
		s->ro->rows_grew(s->ro->arg, runs);
	if (s->came || !s->grown || !s->ro->grown)
		return;
	chess_racing_points(s->o.racing, &n);
	s->ro->grown(s->ro->arg, runs, n);
}

static void choose_reduction(struct race_search *s, struct chess_explore_opts *o)
{
	enum chess_may_reduce may = CHESS_REDUCE_ONLY;

	if (s->ro->may_reduce && o->reduce)
		may = s->unreduced ? CHESS_REDUCE_NOT : s->ro->may_reduce(s->ro->arg);
	if (may == CHESS_REDUCE_FIRST && s->out->first_runs)
		may = CHESS_REDUCE_NOT;
	s->out->is_first = may == CHESS_REDUCE_FIRST;
	if (may == CHESS_REDUCE_NOT)
		o->reduce = 0;
	/* What comes after it goes beyond the bound, if it is short. */
	if (may == CHESS_REDUCE_FIRST)
		o->grow_runs = 0;
	s->out->reduced = o->reduce;
}

/* What it has done stands beside what comes after it, if that is more of the same program. */
static void note_first(struct race_search *s, const struct chess_explore_result *one)
{
	struct chess_race_search_result *out = s->out;

	if (s->grown || s->rows)
		out->first_runs = 0;
	else if (out->is_first && !s->is_prelude && !one->stopped) {
		if (!one->complete)
			s->unreduced = true;
		out->first_runs = one->complete ? one->runs : 0;
		out->first_bound = one->bound;
	}
}

/*
 * One search. Return: 1: there is to be another one; 0; -errno
 */
static int search_once(struct race_search *s, const char *strategy)
{
	const struct chess_executor x = {
		.run = run, .ctx = s, .drop = drop, .ahead = s->x->ahead ? ahead : NULL,
	};
	struct chess_explore_result *all = &s->out->all, one;
	struct chess_explore_opts o = s->o;
	bool again;
	int ret;

	o.strategy = strategy;
	o.progress = progress;
	o.progress_arg = s;
	o.seconds = seconds;
	o.seconds_arg = s;
	o.max_runs = s->o.max_runs ? s->o.max_runs - all->runs : 0;
	o.enough_runs = o.enough_runs > all->runs ? o.enough_runs - all->runs : 0;
	choose_reduction(s, &o);
	if (s->is_prelude) {
		o.rest = NULL;
		o.enough = 0;
		o.levels = 0;
	} else if (o.rest) {
		chess_frontier_clear(o.rest);
	}
	/* A prelude is a few runs, whose plans do not belong to the search that was requested. */
	if (s->is_prelude) {
		o.reduce = 0;
		o.skip_ordered = false;
		o.in_scope = NULL;
	}
	/* Bounded searches use no chance; the strategies that take turns with them do. */
	o.seed += all->runs;
	s->index = 0;
	s->grown = false;
	s->flawed = false;
	s->rows = false;
	s->ended = false;
	ret = chess_explore(&x, &o, &one);
	if (ret)
		return ret;
	ret = add_runs(all, &one);
	keep_bug(all, &one);
	again = goes_on(s, &one);
	note_first(s, &one);
	if (!again)
		conclude(s, all, &one);
	if (s->is_prelude)
		s->out->prelude_runs += one.runs;
	chess_explore_result_clear(&one);
	if (ret)
		return ret;
	s->out->searches++;
	if (again)
		tell(s);
	return again;
}

static int set_points(struct race_search *s)
{
	const uint32_t *points;
	size_t n;

	if (!s->o.racing)
		return 0;
	points = chess_racing_points(s->o.racing, &n);
	return s->ro->set_points(s->ro->arg, points, n);
}

static int set_later(struct race_search *s)
{
	int ret;

	if (!s->came)
		return 0;
	s->came = 0;
	if (s->o.racing)
		chess_racing_clear(s->o.racing);
	ret = s->ro->set_later(s->ro->arg, chess_later_files(s->ro->later));
	if (!ret)
		chess_later_set(s->ro->later);
	return ret;
}

static int set_long_rows(struct race_search *s)
{
	if (!s->rows)
		return 0;
	s->long_rows = true;
	return s->ro->set_long_rows(s->ro->arg);
}

/* The strategies that it consists of, or that include it, do not need it before them. */
static bool wants_prelude(const struct race_search *s)
{
	const char *strategy = s->o.strategy;

	if (!s->o.racing || !s->ro->prelude || s->o.from)
		return false;
	return !strategy || (strcmp(strategy, chess_strategy_hold.name) &&
			     strcmp(strategy, chess_strategy_maple.name) &&
			     strcmp(strategy, chess_strategy_rff.name) &&
			     strcmp(strategy, chess_strategy_auto.name) &&
			     strcmp(strategy, chess_strategy_prelude.name) &&
			     strcmp(strategy, chess_strategy_turns.name));
}

/* Whenever there are new points, a prelude of a few runs is made with them first. */
static int search_all(struct race_search *s)
{
	int ret;

	s->grown = true;
	do {
		ret = set_later(s);
		if (!ret)
			ret = set_points(s);
		if (!ret)
			ret = set_long_rows(s);
		if (ret)
			return ret;
		s->is_prelude = s->grown && wants_prelude(s);
		ret = search_once(s, s->is_prelude ? chess_strategy_prelude.name : s->o.strategy);
	} while (ret > 0);
	return ret;
}

/**
 * chess_explore_races() - search with points at the accesses that race
 * @x: executes one run; its results have accesses
 * @o: bound, limits and strategy; with @racing, where accesses are points
 * @ro: the options about races
 * @out: what was found; chess_explore_result_clear() out->all when this returns 0
 *
 * Return: 0, or a negative errno with chess_error() when no result can be given.
 */
int chess_explore_races(const struct chess_executor *x, const struct chess_explore_opts *o,
			const struct chess_race_search_opts *ro,
			struct chess_race_search_result *out)
{
	struct race_search s = { .x = x, .ro = ro, .out = out, .start = chess_now() };
	int ret;

	memset(out, 0, sizeof(*out));
	memcpy(&s.o, o, o->sz < sizeof(s.o) ? o->sz : sizeof(s.o));
	s.o.sz = sizeof(s.o);
	if (!s.o.racing && !ro->later)
		return chess_set_error(EINVAL, "a search with races needs the option racing or later");
	ret = search_all(&s);
	out->all.seconds = seconds(&s);
	out->readings_left = s.o.racing && chess_racing_readings_left(s.o.racing);
	if (ret)
		chess_explore_result_clear(&out->all);
	return ret;
}
