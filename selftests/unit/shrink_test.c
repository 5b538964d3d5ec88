// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what chess_shrink() promises: the schedule it hands back shows the same bug,
 * is never bigger than the one it was given, and is the smallest one there is where it
 * says so. Programs are a model in this file; the smallest failing schedule of each is
 * known from how the bug was planted, or from a plain enumeration of all schedules that
 * shares no code with the library.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "deviate.h"
#include "internal.h"
#include "same.h"
#include "../harness.h"

#define TASKS	4
#define STEPS	16
#define CONDS	4
#define BUGS	2

/* When @task does its step number @step (from 1), @other has done @count of its own. */
struct cond {
	int task, step, other, count;
};

/*
 * Tasks of so many steps, each behind a point; all are there from the start. A bug
 * shows, with an assertion of its own, as soon as all its conditions have been met.
 */
struct model {
	int tasks, steps[TASKS];
	uint32_t yields[TASKS];		/* bit N: the point of step N + 1 is a yield */
	struct cond bug[BUGS][CONDS];
	int conds[BUGS];
	bool alike;			/* both end in one assertion */
};

struct state {
	int cur, done[TASKS];
	bool held[TASKS];		/* at its point, to do the step */
	bool ended[TASKS];
	uint32_t met[BUGS];
	int bug;			/* from 1; 0: none */
};

static void do_step(const struct model *m, struct state *s)
{
	int b, c;

	s->held[s->cur] = false;
	s->done[s->cur]++;
	for (b = 0; b < BUGS; b++) {
		for (c = 0; c < m->conds[b]; c++) {
			const struct cond *k = &m->bug[b][c];

			if (k->task == s->cur && k->step == s->done[s->cur] &&
			    s->done[k->other] == k->count)
				s->met[b] |= 1U << c;
		}
		if (m->conds[b] && s->met[b] + 1 == 1U << m->conds[b] && !s->bug)
			s->bug = b + 1;
	}
}

/* Go to the next decision. Return: type of its event, 0 when the bug shows. */
static int advance(const struct model *m, struct state *s)
{
	if (s->held[s->cur])
		do_step(m, s);
	if (s->bug)
		return 0;
	if (s->done[s->cur] == m->steps[s->cur]) {
		s->ended[s->cur] = true;
		return CHESS_EVENT_EXIT;
	}
	s->held[s->cur] = true;
	return CHESS_EVENT_POINT;
}

static bool is_yield(const struct model *m, const struct state *s, int type)
{
	return type == CHESS_EVENT_POINT && (m->yields[s->cur] >> s->done[s->cur] & 1);
}

/* Whom the default policy takes; -1 when all have ended. */
static int policy(const struct model *m, const struct state *s, int type)
{
	int first = is_yield(m, s, type) ? s->cur + 1 : 0, k;

	if (type == CHESS_EVENT_POINT && !is_yield(m, s, type))
		return s->cur;
	for (k = 0; k < m->tasks; k++)
		if (!s->ended[(first + k) % m->tasks])
			return (first + k) % m->tasks;
	return -1;
}

static void note(struct chess_record *r, const struct model *m, const struct state *s, int type,
		 int chosen)
{
	struct chess_event e = {
		.seq = chess_record_length(r) + 1, .type = type, .task = s->cur,
		.chosen = chosen < 0 ? CHESS_TASK_NONE : chosen,
		.flags = is_yield(m, s, type) ? CHESS_OPF_YIELD : 0,
		.op = type == CHESS_EVENT_POINT ? CHESS_OP_OTHER : 0,
		.ip = 0x1000 + s->cur * 0x100 + s->done[s->cur],
	};
	int t;

	for (t = 0; t < m->tasks; t++)
		e.enabled |= (uint64_t)!s->ended[t] << t;
	ASSERT_EQ(0, chess_record_push(r, &e, 1));
}

/*
 * All tasks are known before the first decision, as where main() creates them first.
 * Who yields lets the next one go, as under --unfair.
 */
static struct chess_record *new_record(const struct model *m)
{
	struct chess_record *r = chess_record_new();
	int t;

	chess_record_set_fair(r, 0);
	for (t = 1; t < m->tasks; t++) {
		struct chess_event e = {
			.seq = t, .type = CHESS_EVENT_SPAWN, .object = t,
			.chosen = CHESS_TASK_NONE,
		};

		ASSERT_EQ(0, chess_record_push(r, &e, 1));
	}
	return r;
}

/* An executor over a model. */
struct box {
	const struct model *m;
	uint64_t runs;
	uint64_t error_at;		/* this run fails ... */
	int error;			/* ... with this */
	bool mended;			/* no bug shows any more */
};

static int model_run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct box *b = ctx;
	struct state s = { 0 };
	size_t at = 0;
	int type, chosen;

	if (++b->runs == b->error_at)
		return b->error;
	memset(out, 0, sizeof(*out));
	out->bad_task = -1;
	out->verdict = CHESS_VERDICT_OK;
	out->record = new_record(b->m);
	while ((type = advance(b->m, &s)) || b->mended) {
		if (!type) {
			s.bug = 0;
			continue;
		}
		chosen = policy(b->m, &s, type);
		if (chosen >= 0 && at < plan->length)
			chosen = chess_schedule_task(plan->prefix, at++);
		if (chosen >= 0 && (chosen >= b->m->tasks || s.ended[chosen])) {
			out->verdict = CHESS_VERDICT_DIVERGED;
			return 0;
		}
		note(out->record, b->m, &s, type, chosen);
		if (chosen < 0)
			return 0;
		s.cur = chosen;
	}
	out->verdict = CHESS_VERDICT_ASSERT;
	out->bad_task = s.cur;
	out->bad_status = SIGABRT;
	ASSERT_LT(0, asprintf(&out->err, "hello\nmodel: m.c:%d: f: Assertion `bug %d' failed.\n",
			      b->m->alike ? 1 : s.bug, b->m->alike ? 1 : s.bug));
	return 0;
}

/* The smallest failing schedule, by enumeration. */
struct least {
	int bug, max;
	struct chess_shrink_size size;
};

static bool is_less(const struct chess_shrink_size *a, const struct chess_shrink_size *b)
{
	size_t x[] = { a->preemptions, a->switches, a->points, a->choices };
	size_t y[] = { b->preemptions, b->switches, b->points, b->choices };
	size_t i;

	for (i = 0; i < 3 && x[i] == y[i]; i++)
		;
	return x[i] < y[i];
}

static void enumerate(const struct model *m, struct state s, struct chess_shrink_size size,
		      struct least *out)
{
	int type = advance(m, &s), def, t;

	if (!type) {
		if ((s.bug == out->bug || m->alike) && is_less(&size, &out->size))
			out->size = size;
		return;
	}
	def = policy(m, &s, type);
	size.points += type == CHESS_EVENT_POINT;
	for (t = 0; t < m->tasks && def >= 0; t++) {
		struct chess_shrink_size more = size;
		struct state next = s;

		if (s.ended[t] || (t == s.cur && t != def))
			continue;
		more.preemptions += type == CHESS_EVENT_POINT && t != def;
		more.switches += t != s.cur;
		more.choices += t != def;
		next.cur = t;
		if (more.preemptions <= (size_t)out->max)
			enumerate(m, next, more, out);
	}
}

static struct chess_shrink_size smallest(const struct model *m, int bug, int max)
{
	struct least least = {
		.bug = bug, .max = max, .size = { SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX },
	};

	enumerate(m, (struct state){ 0 }, (struct chess_shrink_size){ 0 }, &least);
	return least.size;
}

/* The run under a schedule, "T0*3 T1"; it must end with this bug, 0: with none. */
static struct chess_record *run_under(const struct model *m, const char *text, int bug)
{
	struct chess_schedule *s = chess_schedule_decode(text);
	struct chess_run_result res;
	struct box b = { .m = m };
	struct chess_record *r;
	char want[16];

	ASSERT_TRUE(s);
	ASSERT_EQ(0, model_run(&b, &(struct chess_plan) {
		.prefix = s, .length = chess_schedule_length(s),
	}, &res));
	snprintf(want, sizeof(want), "`bug %d'", bug);
	ASSERT_EQ(bug != 0, res.verdict == CHESS_VERDICT_ASSERT && strstr(res.err, want));
	r = res.record;
	res.record = NULL;
	chess_run_result_clear(&res);
	chess_schedule_free(s);
	return r;
}

/*
 * A run that takes each choice of @r but number @but where its task gets to it, in one
 * go. Return: its size; that of a run without the bug has SIZE_MAX preemptions.
 */
static struct chess_shrink_size run_without(const struct model *m, const struct chess_record *r,
					    size_t but, int bug)
{
	struct chess_shrink_size size = { 0 };
	struct chess_deviation *list;
	struct state s = { 0 };
	int type, def, chosen;
	size_t i, n;

	ASSERT_EQ(0, chess_deviations_of(r, &list, &n));
	while ((type = advance(m, &s)) && policy(m, &s, type) >= 0) {
		def = policy(m, &s, type);
		chosen = def;
		for (i = 0; i < n; i++)
			if (i != but && list[i].task == s.cur && list[i].type == type &&
			    list[i].point == (uint32_t)s.done[s.cur] +
					     (type == CHESS_EVENT_POINT) &&
			    !s.ended[list[i].chosen])
				chosen = list[i].chosen;
		size.preemptions += type == CHESS_EVENT_POINT && chosen != def;
		size.points += type == CHESS_EVENT_POINT;
		size.switches += chosen != s.cur;
		size.choices += chosen != def;
		s.cur = chosen;
	}
	free(list);
	if (!s.bug || (s.bug != bug && !m->alike))
		size.preemptions = SIZE_MAX;
	return size;
}

static void expect_one_minimal(const struct model *m, const struct chess_shrink_result *res,
			       int bug)
{
	size_t i;

	for (i = 0; res->one_minimal && i < res->after.choices; i++) {
		struct chess_shrink_size size = run_without(m, res->best.record, i, bug);

		EXPECT_FALSE(is_less(&size, &res->after));
	}
}

static int shrink(struct box *b, const struct chess_record *r, uint64_t max_runs,
		  struct chess_shrink_result *out)
{
	struct chess_executor x = { .run = model_run, .ctx = b };
	struct chess_shrink_opts o = { .sz = sizeof(o), .max_runs = max_runs };

	return chess_shrink(&x, r, &o, out);
}

static void expect_size(size_t preemptions, size_t switches, size_t points,
			const struct chess_shrink_size *seen)
{
	EXPECT_EQ(preemptions, seen->preemptions);
	EXPECT_EQ(switches, seen->switches);
	EXPECT_EQ(points, seen->points);
}

/*
 * What every result must be, whatever the limits: a run that can be had again, shows
 * @bug and has the size it is said to have.
 */
static void expect_sound(const struct model *m, const struct chess_shrink_result *res, int bug)
{
	struct chess_schedule *s = chess_record_schedule(res->best.record);
	char *text = chess_schedule_encode(s);
	struct chess_record *again = run_under(m, text, bug);
	struct chess_shrink_size size = chess_shrink_size_of(again);

	EXPECT_EQ(SIZE_MAX, chess_record_compare(res->best.record, again));
	EXPECT_EQ(chess_record_preemptions(again), res->after.preemptions);
	expect_size(size.preemptions, size.switches, size.points, &res->after);
	EXPECT_FALSE(is_less(&res->before, &res->after));
	chess_record_free(again);
	chess_schedule_free(s);
	free(text);
}

/*
 * Bug 1 wants T1 to do its step 2 when T0 has done 3, and T0 its step 5 when T1 has
 * done 4 of its 8. T0 is the first to run. It has to be left between steps 3 and 5,
 * that is in the middle, and T1 behind step 4, in the middle too: 2 preemptions at
 * least, and T0*3 T1*4 T0*2 has no more: 2 switches. T0 comes to 5 points; T1 to 5,
 * it is left at the point of its step 5.
 */
static const struct model two_of_seven = {
	.tasks = 3, .steps = { 8, 8, 8 },
	.bug = { { { 1, 2, 0, 3 }, { 0, 5, 1, 4 } } }, .conds = { 2 },
};

/*
 * T0 1 | T2 1 | T1 1 | T0 2,3 | T1 2 | T0 4 | T1 3,4 | T0 5: left at 7 points. Each
 * decision for a task lets it do one step and come to its next point, but for the first
 * one for T1 and T2, which only brings them to their first.
 */
#define SEVEN	"T0 T2*2 T1*2 T0*2 T1 T0 T1*2 T0"

TEST(two_of_seven_preemptions_are_left)
{
	struct chess_record *r = run_under(&two_of_seven, SEVEN, 1);
	struct box b = { .m = &two_of_seven };
	struct chess_shrink_result res;

	EXPECT_EQ((size_t)7, chess_record_preemptions(r));
	ASSERT_EQ(0, shrink(&b, r, 0, &res));
	expect_sound(&two_of_seven, &res, 1);
	EXPECT_EQ((size_t)7, res.before.preemptions);
	expect_size(2, 2, 10, &res.after);
	EXPECT_TRUE(res.fewest && res.smallest && res.one_minimal);
	EXPECT_EQ(b.runs, res.runs);
	chess_shrink_result_clear(&res);
	chess_record_free(r);
}

/*
 * Too few runs for the search: 8 steps and 3 tasks have hundreds of schedules with one
 * preemption. Dropping finds the same, and can say only that.
 */
TEST(with_few_runs_the_same_is_found_and_less_is_said)
{
	struct chess_record *r = run_under(&two_of_seven, SEVEN, 1);
	struct box b = { .m = &two_of_seven };
	struct chess_shrink_result res;

	ASSERT_EQ(0, shrink(&b, r, 150, &res));
	expect_sound(&two_of_seven, &res, 1);
	EXPECT_EQ((size_t)2, res.after.preemptions);
	EXPECT_FALSE(res.smallest);
	EXPECT_TRUE(res.one_minimal);
	EXPECT_LE(res.runs, (uint64_t)151);
	EXPECT_EQ(b.runs, res.runs);
	chess_shrink_result_clear(&res);
	chess_record_free(r);
}

TEST(any_limit_leaves_a_sound_result)
{
	struct chess_record *r = run_under(&two_of_seven, SEVEN, 1);
	uint64_t max;

	for (max = 1; max < 60; max++) {
		struct box b = { .m = &two_of_seven };
		struct chess_shrink_result res;

		ASSERT_EQ(0, shrink(&b, r, max, &res));
		expect_sound(&two_of_seven, &res, 1);
		expect_one_minimal(&two_of_seven, &res, 1);
		EXPECT_FALSE(res.fewest);
		EXPECT_LE(res.runs, max + 1);
		/* Two choices are left in the end: one run each to know that. */
		if (max < 4)
			EXPECT_FALSE(res.one_minimal || res.selected || res.moves_done);
		chess_shrink_result_clear(&res);
	}
	chess_record_free(r);
}

/*
 * T3 does its first step before T1 and T2 do any. At the end of T0 that choice is free:
 * no preemption, one switch. T0 comes to 2 points, T3 to its first.
 */
TEST(a_free_choice_takes_the_place_of_preemptions)
{
	static const struct model m = {
		.tasks = 4, .steps = { 2, 2, 2, 2 },
		.bug = { { { 3, 1, 1, 0 }, { 3, 1, 2, 0 }, { 3, 1, 0, 2 } } }, .conds = { 3 },
	};
	/* T0 1 | T3 (point) | T0 2, end | T3 1 */
	struct chess_record *r = run_under(&m, "T0 T3 T0 T3", 1);
	struct box b = { .m = &m };
	struct chess_shrink_result res;

	EXPECT_EQ((size_t)2, chess_record_preemptions(r));
	ASSERT_EQ(0, shrink(&b, r, 0, &res));
	expect_sound(&m, &res, 1);
	expect_size(0, 1, 3, &res.after);
	EXPECT_TRUE(res.fewest && res.smallest);
	chess_shrink_result_clear(&res);
	chess_record_free(r);
}

/*
 * Bug 2 needs one preemption: T1 does a step when T0 has done 1. Bug 1 needs two. A
 * trace of bug 1 must not become one of bug 2, however much smaller that is.
 */
TEST(another_bug_is_no_answer)
{
	static const struct model m = {
		.tasks = 2, .steps = { 6, 6 },
		.bug = { { { 1, 2, 0, 3 }, { 0, 5, 1, 4 } }, { { 1, 1, 0, 1 } } },
		.conds = { 2, 1 },
	};
	/* T0 1,2 | T1 1 | T0 3 | T1 2,3 | T0 4 | T1 4 | T0 5 */
	struct chess_record *r = run_under(&m, "T0*2 T1*2 T0 T1*2 T0 T1 T0", 1);
	struct chess_record *small = run_under(&m, "T0 T1*2", 2);
	struct box b = { .m = &m };
	struct chess_shrink_result res;

	EXPECT_EQ((size_t)1, chess_record_preemptions(small));
	ASSERT_EQ(0, shrink(&b, r, 0, &res));
	expect_sound(&m, &res, 1);
	expect_size(2, 2, 10, &res.after);
	EXPECT_TRUE(res.fewest);
	chess_shrink_result_clear(&res);
	chess_record_free(small);
	chess_record_free(r);
}

/*
 * The same assertion fails in a second way, which the trace knows nothing of: T2 does its
 * step 1 when T0 has done 6. One preemption, at the point of T0's step 7; T2 comes to
 * one point. No choice of the trace is at that point, so dropping ends with 2 of them.
 */
TEST(the_search_finds_what_dropping_cannot)
{
	struct model m = two_of_seven;
	struct box b = { .m = &m };
	struct chess_shrink_result res;
	struct chess_record *r;

	m.bug[1][0] = (struct cond){ 2, 1, 0, 6 };
	m.conds[1] = 1;
	m.alike = true;
	r = run_under(&m, SEVEN, 1);
	ASSERT_EQ(0, shrink(&b, r, 40, &res));
	expect_sound(&m, &res, 1);
	expect_size(2, 2, 10, &res.after);
	EXPECT_FALSE(res.fewest);
	chess_shrink_result_clear(&res);

	ASSERT_EQ(0, shrink(&b, r, 0, &res));
	expect_sound(&m, &res, 1);
	expect_size(1, 1, 8, &res.after);
	EXPECT_TRUE(res.fewest && res.smallest);
	chess_shrink_result_clear(&res);
	chess_record_free(r);
}

/*
 * The same assertion again, now where T2 does its step 3 when T0 has done 1: one
 * preemption, the first of the trace, but T2 is left at its points 2 and 3 there. To take
 * away one of these choices is not enough, and by halves the other way to fail is found.
 * The search comes to early preemptions last. So it takes all selections to find it.
 * T0 1 | T2 1 | T1 1 | T2 2 | T0 2,3 | T1 2 | T0 4 | T1 3,4 | T0 5
 */
TEST(selections_find_what_is_hidden_behind_two_choices)
{
	struct model m = two_of_seven;
	struct box b = { .m = &m };
	struct chess_shrink_result res;
	struct chess_record *r;

	m.bug[1][0] = (struct cond){ 2, 3, 0, 1 };
	m.conds[1] = 1;
	m.alike = true;
	r = run_under(&m, "T0 T2*2 T1*2 T2 T0*2 T1 T0 T1*2 T0", 1);
	EXPECT_EQ((size_t)8, chess_record_preemptions(r));
	ASSERT_EQ(0, shrink(&b, r, 30, &res));
	expect_sound(&m, &res, 1);
	/* T0 comes to 2 points, T2 to 3. */
	expect_size(1, 1, 5, &res.after);
	EXPECT_TRUE(res.selected);
	chess_shrink_result_clear(&res);
	chess_record_free(r);
}

/*
 * T1 does its step 1 when T0 has done 1. In the trace T0 is left for T2, and T1 is chosen
 * at the end of T2, which is free. Neither choice can be left out, and there must be one
 * preemption. But T1 in place of T2 saves the other choice and a switch.
 */
TEST(a_choice_that_is_put_elsewhere_saves_a_switch)
{
	static const struct model m = {
		.tasks = 3, .steps = { 16, 16, 16 }, .bug = { { { 1, 1, 0, 1 } } },
		.conds = { 1 },
	};
	struct chess_record *r = run_under(&m, "T0 T2*17 T1*2", 1);
	struct box b = { .m = &m };
	struct chess_shrink_result res;

	ASSERT_EQ(0, shrink(&b, r, 110, &res));
	expect_sound(&m, &res, 1);
	expect_size(1, 2, 19, &res.before);
	expect_size(1, 1, 3, &res.after);
	EXPECT_TRUE(res.fewest);
	EXPECT_FALSE(res.smallest);
	chess_shrink_result_clear(&res);
	chess_record_free(r);
}

static uint64_t seed;

static unsigned int pick(unsigned int n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % n;
}

static void random_cond(const struct model *m, struct cond *c)
{
	int task = pick(m->tasks), other = (task + 1 + pick(m->tasks - 1)) % m->tasks;

	*c = (struct cond){ task, 1 + pick(m->steps[task]), other, pick(m->steps[other] + 1) };
}

static void random_model(struct model *m)
{
	int t, b, c;

	memset(m, 0, sizeof(*m));
	m->tasks = 2 + pick(2);
	for (t = 0; t < m->tasks; t++) {
		m->steps[t] = 1 + pick(4);
		m->yields[t] = pick(3) ? 0 : 1U << pick(4);
	}
	m->alike = !pick(4);
	for (b = 0; b < BUGS; b++) {
		m->conds[b] = b ? pick(3) : 1 + pick(3);
		for (c = 0; c < m->conds[b]; c++)
			random_cond(m, &m->bug[b][c]);
	}
}

/* A run in which any enabled task goes on at each decision, or NULL: no bug in sight. */
static struct chess_record *random_failure(const struct model *m, int *bug)
{
	int try;

	for (try = 0; try < 100; try++) {
		struct chess_record *r = new_record(m);
		struct state s = { 0 };
		int type, chosen = 0;

		while ((type = advance(m, &s)) && chosen >= 0) {
			chosen = policy(m, &s, type);
			while (chosen >= 0 && pick(2)) {
				int t = pick(m->tasks);

				if (!s.ended[t] && (t != s.cur || !is_yield(m, &s, type)))
					chosen = t;
			}
			note(r, m, &s, type, chosen);
			if (chosen >= 0)
				s.cur = chosen;
		}
		*bug = m->alike ? 1 : s.bug;
		if (!type)
			return r;
		chess_record_free(r);
	}
	return NULL;
}

/* 1000 programs nobody thought of; most random schedules of them fail with needless
 * preemptions, and the enumeration knows the smallest one.
 */
TEST(random_programs_shrink_to_what_enumeration_finds)
{
	int tried, failing = 0, dropped = 0, minimal = 0, bug;

	for (tried = 0; tried < 1000; tried++) {
		struct chess_shrink_size want;
		struct chess_shrink_result res;
		struct chess_record *r;
		struct model m;
		struct box b = { .m = &m };

		seed = tried;
		random_model(&m);
		r = random_failure(&m, &bug);
		if (!r)
			continue;
		failing++;
		ASSERT_EQ(0, shrink(&b, r, 0, &res));
		expect_sound(&m, &res, bug);
		want = smallest(&m, bug, res.before.preemptions);
		expect_size(want.preemptions, want.switches, want.points, &res.after);
		EXPECT_EQ(want.choices, res.after.choices);
		EXPECT_TRUE(res.fewest && res.smallest && res.one_minimal);
		dropped += want.preemptions < res.before.preemptions;
		chess_shrink_result_clear(&res);

		/* With few runs there is no proof, and what is said is true still. */
		ASSERT_EQ(0, shrink(&b, r, 5 + pick(40), &res));
		expect_sound(&m, &res, bug);
		expect_one_minimal(&m, &res, bug);
		minimal += res.one_minimal && !res.smallest;
		if (res.fewest)
			EXPECT_EQ(want.preemptions, res.after.preemptions);
		chess_shrink_result_clear(&res);
		chess_record_free(r);
		if (harness_result)
			TH_LOG("seed %d", tried);
	}
	/* The generator must not have run dry. */
	EXPECT_LT(500, failing);
	EXPECT_LT(150, dropped);
	EXPECT_LT(50, minimal);
}

TEST(the_same_runs_are_made_each_time)
{
	struct chess_record *r = run_under(&two_of_seven, SEVEN, 1);
	struct box a = { .m = &two_of_seven }, b = { .m = &two_of_seven };
	struct chess_shrink_result first, second;

	ASSERT_EQ(0, shrink(&a, r, 500, &first));
	ASSERT_EQ(0, shrink(&b, r, 500, &second));
	EXPECT_EQ(first.runs, second.runs);
	EXPECT_EQ(SIZE_MAX, chess_record_compare(first.best.record, second.best.record));
	chess_shrink_result_clear(&first);
	chess_shrink_result_clear(&second);
	chess_record_free(r);
}

TEST(a_schedule_that_does_not_fail_any_more_is_stale)
{
	struct chess_record *r = run_under(&two_of_seven, SEVEN, 1);
	struct box b = { .m = &two_of_seven, .mended = true };
	struct chess_shrink_result res;

	EXPECT_EQ(-ESTALE, shrink(&b, r, 0, &res));
	EXPECT_TRUE(strstr(chess_error(), "does not any more"));
	EXPECT_EQ((uint64_t)1, b.runs);
	chess_record_free(r);
}

TEST(errors_end_it_and_an_interrupt_keeps_what_was_found)
{
	struct chess_record *r = run_under(&two_of_seven, SEVEN, 1);
	uint64_t at;

	for (at = 1; at < 300; at += 7) {
		struct box broken = { .m = &two_of_seven, .error_at = at, .error = -EIO };
		struct box stopped = { .m = &two_of_seven, .error_at = at, .error = -EINTR };
		struct chess_shrink_result res;

		EXPECT_EQ(-EIO, shrink(&broken, r, 0, &res));
		EXPECT_EQ(at == 1 ? -EINTR : 0, shrink(&stopped, r, 0, &res));
		/* Not one run more. */
		EXPECT_EQ(at, stopped.runs);
		if (at == 1)
			continue;
		EXPECT_TRUE(res.interrupted);
		EXPECT_FALSE(res.smallest);
		expect_sound(&two_of_seven, &res, 1);
		chess_shrink_result_clear(&res);
	}
	chess_record_free(r);
}

/* A deadline that passes early costs one, wherever; a free choice stays free. */
TEST(choices_cost_what_the_search_counts)
{
	struct chess_event e[] = {
		{ .seq = 1, .type = CHESS_EVENT_POINT, .task = 0, .chosen = 0, .enabled = 3,
		  .timed = 4 },
		{ .seq = 2, .type = CHESS_EVENT_BLOCK, .task = 0, .chosen = 1, .enabled = 10,
		  .timed = 4 },
		{ .seq = 3, .type = CHESS_EVENT_POINT, .task = 1, .chosen = 2, .enabled = 10,
		  .timed = 4, .flags = CHESS_OPF_EARLY },
		{ .seq = 4, .type = CHESS_EVENT_EXIT, .task = 2, .chosen = 3, .enabled = 10 },
		{ .seq = 5, .type = CHESS_EVENT_POINT, .task = 3, .chosen = 1, .enabled = 10,
		  .flags = CHESS_OPF_YIELD },
	};
	struct chess_record *r = chess_record_new();
	struct chess_deviation *list;
	struct chess_walk w;
	size_t n;

	chess_record_set_fair(r, 0);
	ASSERT_EQ(0, chess_record_push(r, e, 5));
	ASSERT_EQ(0, chess_walk_begin(&w, r));
	ASSERT_TRUE(chess_walk_next(&w));
	EXPECT_FALSE(chess_walk_may(&w, 0));
	EXPECT_TRUE(chess_walk_may(&w, 1) && chess_walk_may(&w, 2));
	EXPECT_FALSE(chess_walk_may(&w, 3));
	EXPECT_EQ(1U, chess_walk_cost(&w, 1));
	EXPECT_EQ(1U, chess_walk_cost(&w, 2));
	ASSERT_TRUE(chess_walk_next(&w));
	EXPECT_TRUE(chess_walk_may(&w, 3));
	EXPECT_EQ(0U, chess_walk_cost(&w, 3));
	EXPECT_EQ(1U, chess_walk_cost(&w, 2));
	ASSERT_TRUE(chess_walk_next(&w) && chess_walk_next(&w) && chess_walk_next(&w));
	/* Who yields is no choice while others could go on. */
	EXPECT_FALSE(chess_walk_may(&w, 3));
	EXPECT_FALSE(chess_walk_next(&w));
	chess_walk_end(&w);

	/* Not the default's are the early deadline and T3 in place of T1. */
	ASSERT_EQ(0, chess_deviations_of(r, &list, &n));
	ASSERT_EQ((size_t)2, n);
	EXPECT_EQ((size_t)2, list[0].at);
	EXPECT_EQ(2, list[0].chosen);
	EXPECT_EQ((size_t)3, list[1].at);
	EXPECT_EQ(3, list[1].chosen);
	/* T0 to T1, T2, T3, T1 */
	EXPECT_EQ((size_t)4, chess_shrink_size_of(r).switches);
	EXPECT_EQ((size_t)1, chess_shrink_size_of(r).preemptions);
	free(list);
	chess_record_free(r);
}

/*
 * Under fairness nobody is preempted at a yield, and who yields may go on; but not
 * before those whom fairness lets go first, who have to be in the way.
 */
TEST(choices_cost_what_fairness_leaves)
{
	struct chess_event e[] = {
		{ .seq = 1, .type = CHESS_EVENT_POINT, .task = 0, .chosen = 1, .enabled = 7,
		  .flags = CHESS_OPF_YIELD },
		/* T0 comes behind who is enabled now. */
		{ .seq = 2, .type = CHESS_EVENT_FAIR, .task = 1, .chosen = CHESS_TASK_NONE,
		  .enabled = 1 },
		{ .seq = 3, .type = CHESS_EVENT_POINT, .task = 1, .chosen = 1, .enabled = 7 },
	};
	struct chess_record *r = chess_record_new();
	struct chess_walk w;

	chess_record_set_fair(r, 1);
	ASSERT_EQ(0, chess_record_push(r, e, 3));
	ASSERT_EQ(0, chess_walk_begin(&w, r));
	ASSERT_TRUE(chess_walk_next(&w));
	EXPECT_TRUE(chess_walk_may(&w, 0) && chess_walk_may(&w, 2));
	EXPECT_EQ(0U, chess_walk_cost(&w, 0));
	EXPECT_EQ(0U, chess_walk_cost(&w, 2));
	ASSERT_TRUE(chess_walk_next(&w));
	EXPECT_FALSE(chess_walk_may(&w, 0));
	EXPECT_TRUE(chess_walk_may(&w, 2));
	EXPECT_EQ(1U, chess_walk_cost(&w, 2));
	EXPECT_FALSE(chess_walk_next(&w));
	chess_walk_end(&w);
	chess_record_free(r);
}

/* A record in which task N reached its last point at @ip[N], in a trapped function. */
static struct chess_record *standing(const uint64_t *ip, const int *op, int tasks)
{
	struct chess_record *r = chess_record_new();
	int t;

	for (t = 0; t < tasks; t++) {
		struct chess_event e = {
			.seq = t + 1, .type = CHESS_EVENT_POINT, .op = op[t], .task = t,
			.flags = CHESS_OPF_PROBE, .ip = 0x7000, .caller = ip[t], .nr = 5,
			.chosen = (t + 1) % tasks, .enabled = 7,
		};

		ASSERT_EQ(0, chess_record_push(r, &e, 1));
	}
	return r;
}

static bool same_bug(const struct chess_run_result *a, const struct chess_run_result *b)
{
	struct chess_bug first, second;
	bool same;

	ASSERT_EQ(0, chess_bug_of(a, &first));
	ASSERT_EQ(0, chess_bug_of(b, &second));
	same = chess_bug_same(&first, &second);
	chess_bug_clear(&first);
	chess_bug_clear(&second);
	return same;
}

TEST(a_crash_is_the_same_at_the_same_place_by_the_same_signal)
{
	const uint64_t here[] = { 0x10, 0x20 }, there[] = { 0x10, 0x30 };
	const int ops[] = { CHESS_OP_LOCK, CHESS_OP_LOCK };
	struct chess_run_result a = {
		.verdict = CHESS_VERDICT_CRASH, .bad_task = 1, .bad_status = SIGSEGV,
		.record = standing(here, ops, 2),
	};
	struct chess_run_result b = a, c = a, d = a;

	b.bad_status = SIGBUS;
	c.record = standing(there, ops, 2);
	d.bad_status = SIGSEGV | 0x80;		/* with a core */
	EXPECT_TRUE(same_bug(&a, &a));
	EXPECT_FALSE(same_bug(&a, &b));
	EXPECT_FALSE(same_bug(&a, &c));
	EXPECT_TRUE(same_bug(&a, &d));
	/* Another task may die of it. */
	c.bad_task = 0;
	d.bad_task = 0;
	EXPECT_TRUE(same_bug(&c, &d));
	chess_record_free(a.record);
	chess_record_free(c.record);
}

TEST(an_assertion_is_known_by_its_text)
{
	const uint64_t ip[] = { 0x10 };
	const int ops[] = { CHESS_OP_LOCK };
	struct chess_run_result a = {
		.verdict = CHESS_VERDICT_ASSERT, .bad_task = 0, .bad_status = SIGABRT,
		.record = standing(ip, ops, 1),
		.err = (char *)"seen 3\np: p.c:7: f: Assertion `x == 1' failed.\n",
	};
	struct chess_run_result b = a, c = a, d = a;

	b.err = (char *)"seen 5\np: p.c:7: f: Assertion `x == 1' failed.\nAborted\n";
	c.err = (char *)"p: p.c:8: f: Assertion `x == 1' failed.\n";
	d.err = (char *)"terminate called\n";
	EXPECT_TRUE(same_bug(&a, &b));
	EXPECT_FALSE(same_bug(&a, &c));
	EXPECT_FALSE(same_bug(&a, &d));
	EXPECT_TRUE(same_bug(&d, &d));
	chess_record_free(a.record);
}

/*
 * A deadlock is the tasks that wait for each other; who waits for their end is not
 * part of it. Where they only wait, without a cycle, a smaller run may have fewer of
 * them, and none at another place.
 */
TEST(a_deadlock_is_known_by_where_its_tasks_stand)
{
	const uint64_t ip[] = { 0x10, 0x20, 0x30 }, other[] = { 0x40, 0x20, 0x30 };
	const uint64_t third[] = { 0x10, 0x20, 0x50 };
	const int ops[] = { CHESS_OP_JOIN, CHESS_OP_LOCK, CHESS_OP_LOCK };
	struct chess_holder has2 = { .task = 2, .how = CHESS_HOLD_HAS };
	struct chess_holder has1 = { .task = 1, .how = CHESS_HOLD_HAS };
	struct chess_holder is1 = { .task = 1, .how = CHESS_HOLD_IS };
	struct chess_wait waits[] = {
		{ .task = 0, .seq = 1, .asked = true, .holders = &is1, .n_holders = 1 },
		{ .task = 1, .seq = 2, .asked = true, .holders = &has2, .n_holders = 1 },
		{ .task = 2, .seq = 3, .asked = true, .holders = &has1, .n_holders = 1 },
	};
	struct chess_wait loose[] = {
		{ .task = 0, .seq = 1 }, { .task = 1, .seq = 2 }, { .task = 2, .seq = 3 },
	};
	struct chess_run_result a = {
		.verdict = CHESS_VERDICT_DEADLOCK, .bad_task = -1, .record = standing(ip, ops, 3),
		.waits = waits, .n_waits = 3,
	};
	struct chess_run_result b = a, c = a, d = a;

	b.record = standing(other, ops, 3);
	c.record = standing(third, ops, 3);
	EXPECT_TRUE(same_bug(&a, &b));
	EXPECT_FALSE(same_bug(&a, &c));
	d.waits = loose;
	EXPECT_FALSE(same_bug(&a, &d));
	a.waits = loose;
	d.n_waits = 2;
	EXPECT_TRUE(same_bug(&a, &d));
	EXPECT_FALSE(same_bug(&d, &a));
	d.n_waits = 1;
	EXPECT_FALSE(same_bug(&a, &d));
	chess_record_free(a.record);
	chess_record_free(b.record);
	chess_record_free(c.record);
}

TEST_HARNESS_MAIN
