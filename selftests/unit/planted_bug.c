// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that fail in a planted way; see planted_bug.h.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "planted_bug.h"
#include "shrink/deviate.h"
#include "sim_internal.h"
#include "../harness.h"

/* The run: what it is of, and what has been done in it. */
static const struct planted *program;
static bool mended;
static struct {
	int done[TASKS];
	uint32_t met[BUGS];
	int bug;			/* from 1; 0: none */
} now;
static struct sim_var progress;

static void reset(void)
{
	memset(&now, 0, sizeof(now));
	memset(&progress, 0, sizeof(progress));
}

static void do_step(int task)
{
	int b, c;

	now.done[task]++;
	for (b = 0; b < BUGS; b++) {
		for (c = 0; c < program->conds[b]; c++) {
			const struct cond *k = &program->bug[b][c];

			if (k->task == task && k->step == now.done[task] &&
			    now.done[k->other] == k->count)
				now.met[b] |= 1U << c;
		}
		if (program->conds[b] && now.met[b] + 1 == 1U << program->conds[b] && !now.bug)
			now.bug = b + 1;
	}
	sim_assert(!now.bug || mended);
}

static void do_steps(void *arg)
{
	int task = sim_self();

	(void)arg;
	while (now.done[task] < program->steps[task]) {
		if (program->yields[task] >> now.done[task] & 1)
			sim_yield();
		else
			sim_add(&progress, 1);
		do_step(task);
	}
}

/* sim_create() is a point; these tasks are there before the first one. */
static void start_all(void *arg)
{
	int t;

	for (t = 1; t < program->tasks; t++)
		sim_push(sim_now, &(struct chess_event) {
			.type = CHESS_EVENT_SPAWN,
			.object_kind = CHESS_OBJECT_TASK,
			.chosen = CHESS_TASK_NONE,
			.object = sim_new_task(sim_now, do_steps, NULL),
		});
	do_steps(arg);
}

static int run(const struct planted *p, bool no_bug, const struct chess_plan *plan,
	       struct chess_run_result *out)
{
	static const struct sim_program steps = {
		.name = "planted", .reset = reset, .main = start_all, .plain_end = true,
	};
	static const struct sim_opts how = { .unfair = true };
	static struct sim *sim;
	struct chess_executor x;
	int ret;

	if (!sim)
		sim = sim_new(&steps, &how);
	program = p;
	mended = no_bug;
	x = sim_executor(sim);
	ret = x.run(x.ctx, plan, out);
	/* assert(3) says which one; sim_assert() says nothing. */
	if (!ret && out->verdict == CHESS_VERDICT_ASSERT)
		ASSERT_LT(0, asprintf(&out->err,
				      "hello\nplanted: p.c:%d: f: Assertion `bug %d' failed.\n",
				      p->alike ? 1 : now.bug, p->alike ? 1 : now.bug));
	return ret;
}

static int run_box(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct box *b = ctx;

	if (++b->runs == b->error_at)
		return b->error;
	return run(b->p, b->mended, plan, out);
}

struct chess_executor planted_executor(struct box *b)
{
	return (struct chess_executor) { .run = run_box, .ctx = b };
}

int planted_bug_of(const struct chess_run_result *res)
{
	if (res->verdict != CHESS_VERDICT_ASSERT)
		return 0;
	EXPECT_EQ(SIGABRT, res->bad_status);
	return strstr(res->err, "`bug 1'") ? 1 : 2;
}

struct chess_run_result planted_run(const struct planted *p, struct chess_schedule *prefix)
{
	struct chess_run_result res;

	ASSERT_EQ(0, run(p, false, &(struct chess_plan) {
		.prefix = prefix, .length = chess_schedule_length(prefix),
	}, &res));
	ASSERT_NE(CHESS_VERDICT_DIVERGED, (int)res.verdict);
	return res;
}

struct chess_record *planted_run_under(const struct planted *p, const char *text, int bug)
{
	struct chess_schedule *s = chess_schedule_decode(text);
	struct chess_run_result res;
	struct chess_record *r;

	ASSERT_TRUE(s);
	res = planted_run(p, s);
	ASSERT_EQ(bug, planted_bug_of(&res));
	r = res.record;
	res.record = NULL;
	chess_run_result_clear(&res);
	chess_schedule_free(s);
	return r;
}

static bool is_yield(const struct chess_event *e)
{
	return e->type == CHESS_EVENT_POINT && (e->flags & CHESS_OPF_YIELD);
}

int planted_default(const struct planted *p, const struct chess_event *e)
{
	int first = is_yield(e) ? e->task + 1 : 0, k;

	if (e->type == CHESS_EVENT_POINT && !is_yield(e))
		return e->task;
	for (k = 0; k < p->tasks; k++)
		if (e->enabled >> (first + k) % p->tasks & 1)
			return (first + k) % p->tasks;
	return -1;
}

static bool is_less(const struct chess_shrink_size *a, const struct chess_shrink_size *b)
{
	size_t x[] = { a->preemptions, a->switches, a->points, a->choices };
	size_t y[] = { b->preemptions, b->switches, b->points, b->choices };
	size_t i;

	for (i = 0; i < 3 && x[i] == y[i]; i++)
		;
	return x[i] < y[i];
}

/* Is somebody chosen here? At the end of the last task, or of the program, nobody is. */
static bool is_choice(const struct chess_event *e)
{
	return CHESS_EVENT_IS_DECISION(e->type) && e->chosen != CHESS_TASK_NONE;
}

/* @size, and @e at which @task is chosen. */
static void add_choice(struct chess_shrink_size *size, const struct planted *p,
		       const struct chess_event *e, int task)
{
	bool other = task != planted_default(p, e);

	size->preemptions += other && e->type == CHESS_EVENT_POINT;
	size->switches += task != e->task;
	size->points += e->type == CHESS_EVENT_POINT;
	size->choices += other;
}

struct least {
	const struct planted *p;
	int bug;
	size_t max;
	struct chess_schedule *prefix;
	struct chess_shrink_size size;
};

/*
 * All schedules that begin with out->prefix: the one that leaves the rest to the default
 * policy, and those of each other choice after the prefix.
 */
static void enumerate(struct least *out)
{
	struct chess_run_result res = planted_run(out->p, out->prefix);
	size_t length = chess_schedule_length(out->prefix), n = chess_record_length(res.record);
	size_t i, at = 0;
	struct chess_shrink_size size = { 0 }, more;
	int t;

	for (i = 0; i < n; i++) {
		const struct chess_event *e = chess_record_event(res.record, i);

		if (!is_choice(e))
			continue;
		if (at >= length)
			EXPECT_EQ(planted_default(out->p, e), e->chosen);
		for (t = 0; t < out->p->tasks && at >= length; t++) {
			more = size;
			add_choice(&more, out->p, e, t);
			if (!(e->enabled >> t & 1) || t == e->chosen || t == e->task ||
			    more.preemptions > out->max)
				continue;
			ASSERT_EQ(0, chess_schedule_push(out->prefix, t));
			enumerate(out);
			chess_schedule_truncate(out->prefix, at);
		}
		add_choice(&size, out->p, e, e->chosen);
		if (at++ >= length)
			ASSERT_EQ(0, chess_schedule_push(out->prefix, e->chosen));
	}
	chess_schedule_truncate(out->prefix, length);
	if (planted_bug_of(&res) == out->bug && is_less(&size, &out->size))
		out->size = size;
	chess_run_result_clear(&res);
}

struct chess_shrink_size planted_smallest(const struct planted *p, int bug, size_t max)
{
	struct least least = {
		.p = p, .bug = bug, .max = max, .prefix = chess_schedule_new(),
		.size = { SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX },
	};

	enumerate(&least);
	chess_schedule_free(least.prefix);
	return least.size;
}

/* Whom the choices of @list but number @but take at @e, which is number @point of its task. */
static int chosen_of(const struct planted *p, const struct chess_event *e, uint32_t point,
		     const struct chess_deviation *list, size_t n, size_t but)
{
	int chosen = planted_default(p, e);
	size_t i;

	for (i = 0; i < n; i++)
		if (i != but && list[i].task == e->task && list[i].type == e->type &&
		    list[i].point == point && (e->enabled >> list[i].chosen & 1))
			chosen = list[i].chosen;
	return chosen;
}

/*
 * Add to @prefix the first choice of @list but number @but that @r, the run under it, comes
 * to after it and does not take. Return: false: there is none; *@size is that of the run.
 */
static bool take_next(const struct planted *p, const struct chess_record *r,
		      struct chess_schedule *prefix, const struct chess_deviation *list, size_t n,
		      size_t but, struct chess_shrink_size *size)
{
	size_t length = chess_schedule_length(prefix), i, at = 0;
	uint32_t points[TASKS] = { 0 };
	int chosen;

	*size = (struct chess_shrink_size){ 0 };
	for (i = 0; i < chess_record_length(r); i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (!is_choice(e))
			continue;
		points[e->task] += e->type == CHESS_EVENT_POINT;
		add_choice(size, p, e, e->chosen);
		if (at++ < length)
			continue;
		chosen = chosen_of(p, e, points[e->task], list, n, but);
		ASSERT_EQ(0, chess_schedule_push(prefix, chosen));
		if (chosen != e->chosen)
			return true;
	}
	return false;
}

/*
 * A run that takes each choice of @r but number @but where its task gets to it. Return: its
 * size; that of a run without the bug has SIZE_MAX preemptions.
 */
static struct chess_shrink_size run_without(const struct planted *p, const struct chess_record *r,
					    size_t but, int bug)
{
	struct chess_schedule *prefix = chess_schedule_new();
	struct chess_deviation *list;
	struct chess_shrink_size size;
	struct chess_run_result res;
	bool more;
	size_t n;

	ASSERT_EQ(0, chess_deviations_of(r, &list, &n));
	do {
		res = planted_run(p, prefix);
		more = take_next(p, res.record, prefix, list, n, but, &size);
		if (planted_bug_of(&res) != bug)
			size.preemptions = SIZE_MAX;
		chess_run_result_clear(&res);
	} while (more);
	free(list);
	chess_schedule_free(prefix);
	return size;
}

void expect_one_minimal(const struct planted *p, const struct chess_shrink_result *res, int bug)
{
	size_t i;

	for (i = 0; res->one_minimal && i < res->after.choices; i++) {
		struct chess_shrink_size size = run_without(p, res->best.record, i, bug);

		EXPECT_FALSE(is_less(&size, &res->after));
	}
}

int planted_shrink(struct box *b, const struct chess_record *r, uint64_t max_runs,
		   struct chess_shrink_result *out)
{
	struct chess_executor x = { .run = run_box, .ctx = b };
	struct chess_shrink_opts o = { .sz = sizeof(o), .max_runs = max_runs };

	return chess_shrink(&x, r, &o, out);
}

void expect_size(size_t preemptions, size_t switches, size_t points,
		 const struct chess_shrink_size *seen)
{
	EXPECT_EQ(preemptions, seen->preemptions);
	EXPECT_EQ(switches, seen->switches);
	EXPECT_EQ(points, seen->points);
}

void expect_sound(const struct planted *p, const struct chess_shrink_result *res, int bug)
{
	struct chess_schedule *s = chess_record_schedule(res->best.record);
	char *text = chess_schedule_encode(s);
	struct chess_record *again = planted_run_under(p, text, bug);
	struct chess_shrink_size size = chess_shrink_size_of(again);

	EXPECT_EQ(SIZE_MAX, chess_record_compare(res->best.record, again));
	EXPECT_EQ(chess_record_preemptions(again), res->after.preemptions);
	expect_size(size.preemptions, size.switches, size.points, &res->after);
	EXPECT_FALSE(is_less(&res->before, &res->after));
	chess_record_free(again);
	chess_schedule_free(s);
	free(text);
}
