// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Two steps whose order decides whether a run fails: the critical pair, as Hermit's
 * "analyze" names it. Called by chessctl step. Like all of shrink/, it says nothing that
 * was not run.
 *
 * A preemption lets other tasks run in place of task A, for so many steps until A continues.
 * Somewhere among these is the first step after which A comes too late, of task B; and if A
 * continues right before it, somewhere among the steps of A is the one that makes that step of B
 * harmless. Both are found by halving:
 *
 *	others*k A		passes with k = 0 (no preemption), fails with all of the steps
 *	others*k A*j B A	fails with j = 0, passes with all of A's steps
 *
 * The last two runs differ in the order of one step of A and one of B and in what follows
 * from it. Choices of the failing run that come later, at a block or at the end of a task, are
 * taken in each run, where they can be.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "shrink/deviate.h"

/* @count steps in a row of @task; fewer, if it cannot continue. */
struct row {
	uint16_t task;
	size_t count;
};

/**
 * struct hunt - one call of chess_pair_find()
 * @x: who executes a run
 * @base: the failing run
 * @first: number of the decision that preempts
 * @a: the task that is preempted
 * @others: which task made each step until @a continues, @n_others of them
 * @rows: room for the choices of a run, from @first on; @n_rows of them
 * @later: other choices of the failing run than the default's, @n_later of them; in order
 * @out: the two runs, and how many were made
 */
struct hunt {
	const struct chess_executor *x;
	const struct chess_record *base;
	size_t first;
	uint16_t a;
	uint16_t *others;
	size_t n_others;
	struct row *rows;
	size_t n_rows;
	struct chess_deviation *later;
	size_t n_later;
	struct chess_pair *out;
};

/*
 * Where the rows are done: does the failing run choose otherwise than by default at this decision
 * of @w? Then that task, else CHESS_TASK_NONE.
 */
static uint16_t later_choice(const struct hunt *h, const struct chess_walk *w)
{
	size_t i;

	for (i = 0; i < h->n_later; i++)
		if (h->later[i].at > h->first && chess_deviation_fits(&h->later[i], w))
			return h->later[i].chosen;
	return CHESS_TASK_NONE;
}

/**
 * struct course - how far the rows were gone along
 * @row: number of the one that comes next; h->n_rows: they are done
 * @done: its steps that were made
 */
struct course {
	size_t row, done;
};

/*
 * The task that should be chosen at this decision of @w; CHESS_TASK_NONE: the one that is. What is
 * before decision number @length is as it was wanted. A row whose task cannot continue is over.
 */
static uint16_t wanted(const struct hunt *h, struct course *c, const struct chess_walk *w,
		       size_t length)
{
	uint16_t task;

	while (CHESS_EVENT_IS_TURN(w->e->type) && c->row < h->n_rows) {
		task = h->rows[c->row].task;
		if (c->done < h->rows[c->row].count &&
		    (w->e->chosen == task ||
		     (w->here.at >= length && chess_walk_may(w, task)))) {
			c->done++;
			return w->e->chosen == task ? CHESS_TASK_NONE : task;
		}
		c->row++;
		c->done = 0;
	}
	task = w->here.at >= length ? later_choice(h, w) : CHESS_TASK_NONE;
	return task != CHESS_TASK_NONE && task != w->e->chosen && chess_walk_may(w, task) ?
	       task : CHESS_TASK_NONE;
}

/*
 * The first decision of @res from number @length on that does not choose what is wanted: *@want is
 * the task that is, *@at its number. False: there is none.
 */
static bool next_wanted(const struct hunt *h, const struct chess_run_result *res, size_t length,
			size_t *at, uint16_t *want, int *err)
{
	struct course c = { 0 };
	struct chess_walk w;
	bool found = false;

	*err = chess_walk_begin(&w, res->record);
	while (!*err && !found && chess_walk_next(&w)) {
		if (w.here.at < h->first)
			continue;
		*want = wanted(h, &c, &w, length);
		*at = w.here.at;
		found = *want != CHESS_TASK_NONE;
	}
	chess_walk_end(&w);
	return found;
}

/* The failing run up to the preemption, these rows, and its later choices. 0 or -errno */
static int run_rows(struct hunt *h, struct chess_run_result *res)
{
	struct chess_schedule *prefix = chess_prefix_of(h->base, h->first, CHESS_TASK_NONE);
	size_t length = h->first;
	uint16_t want;
	size_t at;
	int ret;

	for (;;) {
		*res = (struct chess_run_result){
			.bad_task = -1, .diverged_at = SIZE_MAX, .outside_task = CHESS_TASK_NONE,
		};
		if (!prefix)
			return chess_set_error(ENOMEM, "no memory for a prefix");
		ret = h->x->run(h->x->ctx, &(struct chess_plan) {
			.prefix = prefix, .length = chess_schedule_length(prefix),
		}, res);
		chess_schedule_free(prefix);
		if (ret)
			return ret;
		h->out->runs++;
		if (!res->record || res->verdict == CHESS_VERDICT_DIVERGED)
			return chess_set_error(ESTALE, "a run did not follow its prefix");
		if (!next_wanted(h, res, length, &at, &want, &ret))
			return ret;
		prefix = chess_prefix_of(res->record, at, want);
		length = at + 1;
		chess_run_result_clear(res);
	}
}

/*
 * How many choices of the next task in a row are @task, after the first @skip from decision number
 * @from on?
 */
static int count_row(const struct chess_record *r, size_t from, size_t skip, uint16_t task,
		     size_t *n)
{
	struct chess_walk w;
	int ret = chess_walk_begin(&w, r);

	*n = 0;
	while (!ret && chess_walk_next(&w)) {
		if (w.here.at < from || !CHESS_EVENT_IS_TURN(w.e->type))
			continue;
		if (skip) {
			skip--;
			continue;
		}
		if (w.e->chosen != task)
			break;
		(*n)++;
	}
	chess_walk_end(&w);
	return ret;
}

/* Keeps a run that failed or passed in place of the one before. */
static void keep(struct hunt *h, struct chess_run_result *res, bool fails)
{
	struct chess_run_result *to = fails ? &h->out->failing : &h->out->passing;

	chess_run_result_clear(to);
	*to = *res;
	memset(res, 0, sizeof(*res));
}

static void add_row(struct hunt *h, uint16_t task, size_t count)
{
	h->rows[h->n_rows++] = (struct row){ task, count };
}

/* @k steps of the others, then A. */
static void set_others(struct hunt *h, size_t k)
{
	size_t i;

	h->n_rows = 0;
	for (i = 0; i < k; i++)
		add_row(h, h->others[i], 1);
	if (k < h->n_others)
		add_row(h, h->a, 1);
}

/* @k steps of the others, @j of A, the next one of the others, then A. */
static void set_both(struct hunt *h, size_t k, size_t j)
{
	set_others(h, k);
	h->n_rows = k;
	add_row(h, h->a, j);
	add_row(h, h->others[k], 1);
	add_row(h, h->a, 1);
}

/* The rows are run. Do they fail? The run is kept. */
static int run_kept(struct hunt *h, bool *fails)
{
	struct chess_run_result res;
	int ret = run_rows(h, &res);

	if (!ret) {
		*fails = chess_verdict_is_bug(res.verdict);
		keep(h, &res, *fails);
	}
	chess_run_result_clear(&res);
	return ret;
}

/* The same of rows that have to end as it is said. -ENOENT: they do not. */
static int run_end(struct hunt *h, bool should_fail)
{
	bool fails;
	int ret = run_kept(h, &fails);

	if (ret || fails == should_fail)
		return ret;
	return chess_set_error(ENOENT, "where a run should %s it ended with %s",
			       should_fail ? "fail" : "pass",
			       chess_verdict_name(fails ? h->out->failing.verdict :
						  h->out->passing.verdict));
}

/* The number of steps of the others after which A still comes in time, and with one more not. */
static int halve_others(struct hunt *h, size_t *k)
{
	size_t high = h->n_others;
	bool fails;
	int ret = 0;

	*k = 0;
	while (!ret && high - *k > 1) {
		size_t middle = *k + (high - *k) / 2;

		set_others(h, middle);
		ret = run_kept(h, &fails);
		if (fails)
			high = middle;
		else
			*k = middle;
	}
	return ret;
}

/*
 * The number of steps of A, less than @high, after which step number @k of the others, from 0,
 * still makes it fail.
 */
static int halve_a(struct hunt *h, size_t k, size_t high, size_t *j)
{
	bool fails;
	int ret = 0;

	*j = 0;
	while (!ret && high - *j > 1) {
		size_t middle = *j + (high - *j) / 2;

		set_both(h, k, middle);
		ret = run_kept(h, &fails);
		if (fails)
			*j = middle;
		else
			high = middle;
	}
	return ret;
}

/* The preemption at event @at: who, after how many decisions, and what ran until A continued. */
static int look_at(struct hunt *h, size_t at)
{
	const struct chess_event *e = chess_record_event(h->base, at);
	struct chess_walk w;
	int ret = chess_walk_begin(&w, h->base);

	if (ret)
		return ret;
	h->a = e->task;
	h->others = malloc(chess_record_decisions(h->base) * sizeof(*h->others));
	h->rows = malloc((chess_record_decisions(h->base) + 3) * sizeof(*h->rows));
	if (!h->others || !h->rows)
		ret = chess_set_error(ENOMEM, "no memory for the choices of a run");
	while (!ret && chess_walk_next(&w)) {
		if (w.i == at)
			h->first = w.here.at;
		if (w.i < at || !CHESS_EVENT_IS_TURN(w.e->type))
			continue;
		if (w.e->chosen == h->a)
			break;
		h->others[h->n_others++] = w.e->chosen;
	}
	chess_walk_end(&w);
	if (ret)
		return ret;
	if (!h->n_others || !CHESS_EVENT_IS_TURN(e->type) ||
	    chess_record_timed(h->base, at, e->chosen))
		return chess_set_error(ENOENT,
				       "the last preemption lets a time pass, and is not a choice between two steps");
	return 0;
}

/* Where the two runs part: both tasks stand at their steps there. */
static int name_steps(struct hunt *h)
{
	const struct chess_record *r = h->out->failing.record, *other = h->out->passing.record;
	const struct chess_event *point, *fails = NULL, *passes = NULL;
	size_t at, at_other;

	/* What calls return that were made before may depend on what comes after. */
	chess_record_compare_decisions(r, other, &at, &at_other);
	if (at < chess_record_length(r) && at_other < chess_record_length(other)) {
		fails = chess_record_event(r, at);
		passes = chess_record_event(other, at_other);
	}
	if (!passes || !CHESS_EVENT_IS_TURN(fails->type) || fails->type != passes->type ||
	    fails->chosen == passes->chosen)
		return chess_set_error(ENOENT,
				       "a run that fails and one that passes differ in more than a choice of the next task");
	h->out->at = at;
	h->out->first = fails->chosen;
	h->out->second = passes->chosen;
	point = chess_record_last_point(r, at + 1, fails->chosen);
	h->out->first_seq = point ? point->seq : 0;
	point = chess_record_last_point(r, at + 1, passes->chosen);
	h->out->second_seq = point ? point->seq : 0;
	return 0;
}

static int find(struct hunt *h)
{
	size_t k, j, steps;
	bool fails;
	int ret;

	set_others(h, 0);
	ret = run_end(h, false);
	if (ret)
		return ret;
	set_others(h, h->n_others);
	ret = run_end(h, true);
	if (!ret)
		ret = halve_others(h, &k);
	if (!ret)
		ret = count_row(h->out->passing.record, h->first, k, h->a, &steps);
	if (ret)
		return ret;
	set_both(h, k, 0);
	ret = run_end(h, true);
	if (!ret)
		ret = halve_a(h, k, steps, &j);
	if (ret)
		return ret;
	/* Both runs of the pair: with one step of A more, and without. */
	set_both(h, k, j + 1);
	ret = run_kept(h, &fails);
	if (!ret && fails) {
		/* No step of A does it; to choose B after them and no other task does. */
		set_others(h, k);
		ret = run_end(h, false);
	} else if (!ret) {
		set_both(h, k, j);
		ret = run_end(h, true);
	}
	return ret ? ret : name_steps(h);
}

/**
 * chess_pair_find() - the two steps whose order makes a preemption matter
 * @x: who executes a run
 * @failing: record of a failing run that passes without this preemption
 * @at: index of the event of the preemption, the last one of the run
 * @out: what was found; chess_pair_clear() it, whatever is returned
 *
 * Return: 0; -ENOENT with chess_error(): there is no such pair, as the preemption is of another
 * kind or one step alone does not decide; -EINTR from the executor; or another negative errno.
 */
int chess_pair_find(const struct chess_executor *x, const struct chess_record *failing, size_t at,
		    struct chess_pair *out)
{
	struct hunt h = { .x = x, .base = failing, .out = out };
	int ret;

	memset(out, 0, sizeof(*out));
	if (at >= chess_record_length(failing) || !chess_record_is_preemption(failing, at))
		return chess_set_error(ENOENT, "event %zu is not a preemption", at + 1);
	ret = look_at(&h, at);
	if (!ret)
		ret = chess_deviations_of(failing, &h.later, &h.n_later);
	if (!ret)
		ret = find(&h);
	free(h.later);
	free(h.rows);
	free(h.others);
	return ret;
}

/**
 * chess_pair_clear() - free what a pair owns
 * @p: a pair
 */
void chess_pair_clear(struct chess_pair *p)
{
	chess_run_result_clear(&p->failing);
	chess_run_result_clear(&p->passing);
	memset(p, 0, sizeof(*p));
}
