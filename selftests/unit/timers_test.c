// SPDX-License-Identifier: GPL-2.0-only
/*
 * Timers that go off early, in a model: tasks that take steps and never wait, and timers that
 * are armed all the time. The searches make as many runs as a recursion counts that knows
 * nothing of records and prefixes, no schedule twice. And what records and policies say.
 */
#include <string.h>

#include "decide.h"
#include "policy.h"
#include "../harness.h"

#include <chessctl/chessctl.h>

#define TASKS	2

struct model {
	unsigned int steps, timers;
	char *seen[4096];
	size_t n_seen;
	bool fails;	/* where a timer goes off before task 0 ends and 1 took a step */
};

struct state {
	unsigned int done[TASKS], timers;
	unsigned int task;
	bool expired;
};

static uint64_t enabled(const struct model *m, const struct state *s)
{
	/* A step more: its end. */
	return (s->done[0] <= m->steps) | (uint64_t)(s->done[1] <= m->steps) << 1;
}

/* Schedules from here on that cost no more than @left; with @free any costs nothing. */
static uint64_t count(const struct model *m, struct state s, unsigned int left, bool free)
{
	bool ended = s.done[s.task] > m->steps;
	uint64_t n = 0, on = enabled(m, &s);
	struct state next = s;
	unsigned int t, cost;

	if (!on)
		return 1;
	if (s.timers && (free || left)) {
		next.timers--;
		next.expired = true;
		n += count(m, next, left - !free, free);
	}
	for (t = 0; t < TASKS; t++) {
		cost = t != s.task && !ended && !s.expired && !free;
		if (!(on >> t & 1) || cost > left)
			continue;
		next = s;
		next.task = t;
		next.expired = false;
		next.done[t]++;
		n += count(m, next, left - cost, free);
	}
	return n;
}

static void push(struct chess_record *r, struct chess_event e)
{
	e.seq = chess_record_length(r) + 1;
	ASSERT_EQ(0, chess_record_push(r, &e, 1));
}

/* One decision. Return: false at the end of the run. */
static bool decide(const struct model *m, struct state *s, const struct chess_plan *plan,
		   size_t *at, struct chess_record *r)
{
	bool ended = s->done[s->task] > m->steps, expires;
	struct chess_event e = {
		.type = ended ? CHESS_EVENT_EXIT : CHESS_EVENT_POINT, .task = s->task,
		.enabled = enabled(m, s), .chosen = CHESS_TASK_NONE,
	};
	uint16_t want = *at < plan->length ? chess_schedule_task(plan->prefix, *at) :
					     CHESS_TASK_NONE;

	if (!e.enabled) {
		push(r, e);
		return false;
	}
	expires = want == CHESS_TASK_TIMER;
	ASSERT_TRUE(!expires || s->timers);
	++*at;
	if (expires) {
		s->timers--;
		push(r, (struct chess_event) {
			.type = CHESS_EVENT_EXPIRE, .task = s->task, .enabled = e.enabled,
			.chosen = CHESS_TASK_TIMER, .flags = CHESS_OPF_EARLY,
		});
		push(r, (struct chess_event) {
			.type = CHESS_EVENT_TIMER, .chosen = CHESS_TASK_NONE,
		});
		return true;
	}
	if (s->timers)
		e.flags |= CHESS_OPF_TIMER;
	e.chosen = want != CHESS_TASK_NONE ? want : !ended ? s->task : !s->task;
	ASSERT_TRUE(e.enabled >> e.chosen & 1);
	push(r, e);
	s->task = e.chosen;
	s->done[s->task]++;
	return true;
}

static int run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct state s = { .done = { 0 } };
	struct model *m = ctx;
	size_t at = 0, i;

	*out = (struct chess_run_result) {
		.verdict = CHESS_VERDICT_OK, .bad_task = -1, .diverged_at = SIZE_MAX,
		.outside_task = CHESS_TASK_NONE, .record = chess_record_new(),
	};
	s.timers = m->timers;
	while (decide(m, &s, plan, &at, out->record))
		if (m->fails && m->timers && !s.timers && !s.done[1] &&
		    s.done[0] <= m->steps)
			out->verdict = CHESS_VERDICT_ASSERT;
	ASSERT_TRUE(m->n_seen < sizeof(m->seen) / sizeof(*m->seen));
	m->seen[m->n_seen] = chess_schedule_encode(chess_record_schedule(out->record));
	for (i = 0; i < m->n_seen; i++)
		EXPECT_NE(0, strcmp(m->seen[i], m->seen[m->n_seen]));
	m->n_seen++;
	return 0;
}

static uint64_t search(struct model *m, const char *strategy, unsigned int bound, bool no_early)
{
	struct chess_explore_opts o = {
		.sz = sizeof(o), .bound = bound, .strategy = strategy, .keep_going = true,
		.no_early = no_early,
	};
	struct chess_executor x = { .run = run, .ctx = m };
	struct chess_explore_result res;
	uint64_t runs;

	m->n_seen = 0;
	ASSERT_EQ(0, chess_explore(&x, &o, &res));
	EXPECT_TRUE(res.complete);
	EXPECT_EQ((uint64_t)0, res.diverged);
	runs = res.runs;
	chess_explore_result_clear(&res);
	return runs;
}

TEST(searches_take_each_expiry_once)
{
	unsigned int steps, timers, bound;

	for (steps = 1; steps <= 3; steps++)
		for (timers = 0; timers <= 2; timers++) {
			struct model m = { .steps = steps, .timers = timers };
			struct state s = { .timers = timers };

			for (bound = 0; bound <= 3; bound++)
				EXPECT_EQ(count(&m, s, bound, false),
					  search(&m, "icb", bound, false));
			if (steps + timers < 5)
				EXPECT_EQ(count(&m, s, 0, true), search(&m, "dfs", 0, false));
		}
}

/* As if there were none. */
TEST(without_early_none_goes_off)
{
	struct model m = { .steps = 3, .timers = 2 };
	struct state s = { .timers = 0 };

	EXPECT_EQ(count(&m, s, 2, false), search(&m, "icb", 2, true));
	EXPECT_EQ(count(&m, s, 0, true), search(&m, "dfs", 0, true));
}

/* A delay passes over each task whose turn comes before. */
TEST(timers_have_their_turn_behind_all_tasks)
{
	struct model m = { .steps = 1, .timers = 1, .fails = true };
	struct chess_executor x = { .run = run, .ctx = &m };
	struct chess_explore_result res;
	unsigned int bound;

	for (bound = 1; bound <= 2; bound++) {
		struct chess_explore_opts o = {
			.sz = sizeof(o), .bound = bound, .strategy = "delay",
		};

		m.n_seen = 0;
		ASSERT_EQ(0, chess_explore(&x, &o, &res));
		EXPECT_EQ(bound == 2 ? CHESS_VERDICT_ASSERT : CHESS_VERDICT_OK, (int)res.verdict);
		chess_explore_result_clear(&res);
	}
}

TEST(who_goes_on_behind_an_expiry_is_free)
{
	struct chess_record *r = chess_record_new();

	push(r, (struct chess_event) { .type = CHESS_EVENT_POINT, .enabled = 3,
				       .flags = CHESS_OPF_TIMER });
	push(r, (struct chess_event) { .type = CHESS_EVENT_EXPIRE, .enabled = 1,
				       .chosen = CHESS_TASK_TIMER, .flags = CHESS_OPF_EARLY });
	push(r, (struct chess_event) { .type = CHESS_EVENT_TIMER, .chosen = CHESS_TASK_NONE });
	push(r, (struct chess_event) { .type = CHESS_EVENT_WAKE, .task = 1,
				       .chosen = CHESS_TASK_NONE });
	push(r, (struct chess_event) { .type = CHESS_EVENT_POINT, .enabled = 3, .chosen = 1 });
	push(r, (struct chess_event) { .type = CHESS_EVENT_POINT, .enabled = 3, .task = 1 });
	EXPECT_TRUE(chess_record_may_expire(r, 0));
	EXPECT_FALSE(chess_record_may_expire(r, 1));
	EXPECT_TRUE(chess_record_is_expired(r, 4));
	EXPECT_FALSE(chess_record_is_expired(r, 5));
	EXPECT_TRUE(chess_record_is_preemption(r, 1));
	EXPECT_FALSE(chess_record_is_preemption(r, 4));
	EXPECT_TRUE(chess_record_is_preemption(r, 5));
	EXPECT_EQ((size_t)2, chess_record_preemptions(r));
	EXPECT_EQ(CHESS_TASK_NONE, chess_record_default(r, 1));
	EXPECT_STREQ("T0 timer T1 T0", chess_schedule_encode(chess_record_schedule(r)));
}

static struct chess_policy_task tasks[CHESS_MAX_TASKS];

static unsigned int expiries(unsigned int kind, uint64_t seed, unsigned int decisions)
{
	struct chess_policy p = { .kind = kind, .seed = seed, .tasks = tasks };
	struct chess_event e = { .type = CHESS_EVENT_POINT };
	struct chess_set on, late;
	unsigned int i, n = 0;

	memset(tasks, 0xff, sizeof(tasks));
	chess_set_clear(&on);
	chess_set_clear(&late);
	chess_set_add(&on, 0);
	chess_set_add(&on, 1);
	chess_policy_start(&p);
	/* Both have come to a point. */
	for (e.task = 2; e.task--;)
		chess_policy_decide(&p, &e, &(struct chess_policy_choice) {
			.enabled = &on, .timed = &late, .usual = 0, .forced = 1,
		});
	e.task = 0;
	for (i = 0; i < decisions; i++) {
		while (chess_policy_expires(&p, &e, &on, &late))
			n++;
		chess_policy_decide(&p, &e, &(struct chess_policy_choice) {
			.enabled = &on, .timed = &late, .usual = 0, .forced = CHESS_TASK_NONE,
		});
	}
	return n;
}

/* Among two tasks they are the third that can be chosen. */
TEST(policies_of_chance_have_timers_go_off)
{
	static const unsigned int kinds[] = {
		CHESS_POLICY_KIND_RANDOM, CHESS_POLICY_KIND_PCT, CHESS_POLICY_KIND_POS,
		CHESS_POLICY_KIND_SURW,
	};
	unsigned int i, seed, first;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		for (first = 0, seed = 0; seed < 3000; seed++)
			first += !!expiries(kinds[i], seed, 1);
		EXPECT_LT(900u, first);
		EXPECT_GT(1100u, first);
		EXPECT_EQ(expiries(kinds[i], 7, 50), expiries(kinds[i], 7, 50));
		EXPECT_GE((unsigned int)CHESS_POLICY_EXPIRIES, expiries(kinds[i], 7, 10000));
	}
	EXPECT_EQ((unsigned int)CHESS_POLICY_EXPIRIES,
		  expiries(CHESS_POLICY_KIND_RANDOM, 7, 10000));
	EXPECT_EQ(0u, expiries(CHESS_POLICY_KIND_ROUND_ROBIN, 0, 100));
}

TEST_HARNESS_MAIN
