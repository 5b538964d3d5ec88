// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves kmod/fair.c, compiled here as it is: that it is Algorithm 1 of Musuvathi and
 * Qadeer (PLDI'08). The paper's own emulation (figure 4) step by step, what section 3
 * says of it, and random steps beside a transcription of the paper's lines that keeps
 * whole sets of everybody and shares nothing with it.
 */
#include <string.h>

#include "fair.h"
#include "harness.h"

#define NONE	((unsigned int)CHESS_TASK_NONE)
#define ROWS	9

static struct chess_fair fair;
static struct chess_fair_row row[ROWS];
static struct chess_set enabled;

static void begin(unsigned int every, unsigned int tasks)
{
	unsigned int i;

	/* rows are filled in at the first yield, whatever was there */
	memset(row, 0xa5, sizeof(row));
	memset(&fair, 0xa5, sizeof(fair));
	chess_fair_init(&fair, every);
	chess_set_clear(&enabled);
	for (i = 0; i < tasks; i++)
		chess_set_add(&enabled, i);
}

static void step(unsigned int task)
{
	chess_fair_scheduled(&fair, task);
}

static void yielding_step(unsigned int task)
{
	step(task);
	chess_fair_yield(&fair, &row[task], task, &enabled);
}

static void disable(unsigned int task, unsigned int by)
{
	chess_set_remove(&enabled, task);
	chess_fair_disabled(&fair, task, by);
}

/* Those who are allowed, as bits; of ids below 64. */
static unsigned int allowed(void)
{
	unsigned int bits = 0, id;

	chess_fair_look(&fair, &enabled);
	for (id = chess_fair_next(&fair, &enabled, 0); id < 64;
	     id = chess_fair_next(&fair, &enabled, id + 1)) {
		EXPECT_TRUE(chess_fair_allows(&fair, &enabled, id));
		bits |= 1U << id;
	}
	return bits;
}

/*
 * Figure 3: t is "x := 1", u is "while (x != 1) yield()". Figure 4 runs u alone as long
 * as it may: it goes twice through its loop of two steps, and at the end of the second
 * round the edge (u, t) stops it.
 */
TEST(spin_loop_of_the_paper_is_cut_in_its_second_round)
{
	enum { T, U };

	begin(1, 2);
	step(U);
	EXPECT_EQ(3u, allowed());
	yielding_step(U);		/* its first window begins, P stays empty */
	EXPECT_EQ(0u, fair.edges);
	EXPECT_EQ(3u, allowed());
	step(U);
	EXPECT_EQ(3u, allowed());
	yielding_step(U);		/* H = { t } */
	EXPECT_EQ(1u, fair.edges);
	EXPECT_EQ(1u << T, allowed());
	step(T);			/* it takes the edge away, and ends */
	EXPECT_EQ(0u, fair.edges);
	disable(T, T);
	EXPECT_EQ(1u << U, allowed());
}

/*
 * The same where t waits for a lock that u holds: u goes on until it lets t go. In its
 * window u disabled t, so the edge is there all the same.
 */
TEST(task_that_waits_is_waited_for_once_it_could_go_on)
{
	begin(1, 2);
	yielding_step(1);
	step(1);
	disable(0, 1);
	yielding_step(1);
	EXPECT_EQ(1u, fair.edges);
	EXPECT_EQ(2u, allowed());
	step(1);
	yielding_step(1);
	EXPECT_EQ(2u, allowed());
	chess_set_add(&enabled, 0);
	EXPECT_EQ(1u, allowed());
	step(0);
	EXPECT_EQ(3u, allowed());
}

/* By another one: t is neither enabled throughout nor disabled by u. */
TEST(task_that_a_third_one_disables_is_not_waited_for)
{
	begin(1, 3);
	yielding_step(1);
	step(2);
	disable(0, 2);
	chess_set_add(&enabled, 0);
	yielding_step(1);
	EXPECT_EQ(0u, fair.edges);
	EXPECT_EQ(7u, allowed());
}

TEST(first_yield_of_a_task_adds_nothing)
{
	unsigned int i;

	begin(1, 4);
	disable(3, 0);
	chess_set_add(&enabled, 3);
	for (i = 0; i < 3; i++) {
		yielding_step(i);
		EXPECT_EQ(0u, fair.edges);
	}
	EXPECT_EQ(15u, allowed());
}

/* Only those who took no step in the window go before. */
TEST(who_took_a_step_in_the_window_does_not_go_before)
{
	begin(1, 4);
	yielding_step(0);
	step(2);
	yielding_step(0);
	EXPECT_EQ(2u, fair.edges);
	EXPECT_EQ(14u, allowed());
	step(1);
	EXPECT_EQ(14u, allowed());
	step(3);
	EXPECT_EQ(15u, allowed());
}

TEST(task_that_appears_in_a_window_does_not_go_before)
{
	begin(1, 1);
	yielding_step(0);
	chess_set_add(&enabled, 1);
	yielding_step(0);
	EXPECT_EQ(3u, allowed());
	yielding_step(0);
	EXPECT_EQ(2u, allowed());
}

/* Edge at yield 2k of a task: the first one that counts begins its window. */
TEST(only_each_kth_yield_counts)
{
	unsigned int k, i;

	for (k = 1; k <= 4; k++) {
		begin(k, 2);
		for (i = 1; i <= 2 * k; i++) {
			EXPECT_EQ(3u, allowed());
			/* no window yet: this must not count for one */
			if (i < k) {
				disable(1, 0);
				chess_set_add(&enabled, 1);
			}
			yielding_step(0);
		}
		EXPECT_EQ(2u, allowed());
	}
}

TEST(without_fairness_nothing_is_ever_left_out)
{
	unsigned int i;

	begin(0, 3);
	for (i = 0; i < 100; i++)
		yielding_step(0);
	EXPECT_EQ(7u, allowed());
	EXPECT_EQ(NULL, (void *)fair.rows);
	/* as decide.h has it: round robin */
	EXPECT_EQ(2u, chess_fair_default(&fair, &enabled, 1, true));
	EXPECT_EQ(0u, chess_fair_default(&fair, &enabled, 2, true));
	EXPECT_EQ(1u, chess_fair_default(&fair, &enabled, 1, false));
}

TEST(who_is_gone_is_in_nobodys_way)
{
	begin(1, 3);
	yielding_step(0);
	yielding_step(0);
	yielding_step(1);
	step(0);
	yielding_step(1);
	/* 0 got (0, 1) and (0, 2); 1 took its own away and got (1, 2) */
	EXPECT_EQ(2u, fair.edges);
	EXPECT_EQ(4u, allowed());
	chess_set_remove(&enabled, 2);
	chess_fair_forget(&fair, 2);
	EXPECT_EQ(0u, fair.edges);
	EXPECT_EQ(3u, allowed());
	yielding_step(0);
	yielding_step(0);
	EXPECT_EQ(1u, fair.edges);
	chess_fair_forget(&fair, 0);
	EXPECT_EQ(0u, fair.edges);
	chess_fair_forget(&fair, 1);
	EXPECT_EQ(NULL, (void *)fair.rows);
}

/* Its end comes in the window in which 1 disabled it: no edge goes to it, which would cost time. */
TEST(task_that_was_disabled_and_is_gone_gets_no_edge)
{
	begin(1, 2);
	yielding_step(1);
	step(1);
	disable(0, 1);
	chess_fair_forget(&fair, 0);
	yielding_step(1);
	EXPECT_EQ(0u, fair.edges);
	EXPECT_EQ(2u, allowed());
}

TEST(default_is_the_running_task_then_the_lowest_of_those_allowed)
{
	begin(1, 3);
	allowed();
	EXPECT_EQ(2u, chess_fair_default(&fair, &enabled, 2, false));
	EXPECT_EQ(0u, chess_fair_default(&fair, &enabled, 2, true));
	EXPECT_EQ(1u, chess_fair_default(&fair, &enabled, 0, true));
	yielding_step(0);
	yielding_step(0);
	allowed();
	EXPECT_EQ(1u, chess_fair_default(&fair, &enabled, 0, true));
	EXPECT_EQ(1u, chess_fair_default(&fair, &enabled, 0, false));
	EXPECT_EQ(1u, chess_fair_default(&fair, &enabled, 2, true));
	EXPECT_EQ(2u, chess_fair_default(&fair, &enabled, 1, true));
	disable(1, 1);
	disable(2, 2);
	allowed();
	EXPECT_EQ(0u, chess_fair_default(&fair, &enabled, 0, true));
	disable(0, 0);
	allowed();
	EXPECT_EQ(NONE, chess_fair_default(&fair, &enabled, 0, true));
	EXPECT_EQ(NONE, chess_fair_default(&fair, &enabled, 0, false));
}

/*
 * The paper's lines, with whole sets of everybody: [u][x] is "x in X(u)". Task number n
 * of it is id[n], so that the words of the sets matter.
 */
static const unsigned int id[ROWS] = { 0, 1, 5, 63, 64, 127, 128, 700, 4095 };

struct paper {
	bool es[ROWS], p[ROWS][ROWS], e[ROWS][ROWS], d[ROWS][ROWS], s[ROWS][ROWS];
	unsigned int n, k, yields[ROWS];
};

static void paper_init(struct paper *c, unsigned int n, unsigned int k)
{
	memset(c, 0, sizeof(*c));
	c->n = n;
	c->k = k;
	memset(c->d, true, sizeof(c->d));
	memset(c->s, true, sizeof(c->s));
}

/* Line 7. */
static bool paper_in_t(const struct paper *c, unsigned int x)
{
	unsigned int y;

	for (y = 0; y < c->n; y++)
		if (c->p[x][y] && c->es[y])
			return false;
	return c->es[x];
}

/* Lines 13 to 30. */
static void paper_step(struct paper *c, unsigned int t, const bool *next_es, bool yield)
{
	struct paper next = *c;
	unsigned int u, x;

	for (u = 0; u < c->n; u++) {
		next.p[u][t] = false;
		for (x = 0; x < c->n; x++) {
			next.e[u][x] = c->e[u][x] && next_es[x];
			if (u == t)
				next.d[u][x] = c->d[u][x] || (c->es[x] && !next_es[x]);
			next.s[u][x] = c->s[u][x] || x == t;
		}
	}
	if (yield && ++next.yields[t] % c->k == 0)
		for (x = 0; x < c->n; x++) {
			if ((next.e[t][x] || next.d[t][x]) && !next.s[t][x])
				next.p[t][x] = true;
			next.e[t][x] = next_es[x];
			next.d[t][x] = false;
			next.s[t][x] = false;
		}
	memcpy(next.es, next_es, sizeof(next.es));
	*c = next;
}

/* Is there a way along P from @from back to it? */
static bool on_cycle(const struct paper *c, unsigned int from)
{
	bool seen[ROWS] = { false };
	unsigned int x, y, pass;

	for (y = 0; y < c->n; y++)
		seen[y] = c->p[from][y];
	for (pass = 0; pass < c->n; pass++)
		for (x = 0; x < c->n; x++)
			for (y = 0; seen[x] && y < c->n; y++)
				seen[y] |= c->p[x][y];
	return seen[from];
}

static uint64_t random_state;

static unsigned int below(unsigned int n)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (random_state >> 33) % n;
}

/* What must hold of both after each step. */
static void expect_equal(const struct paper *c)
{
	unsigned int x, y, edges = 0, in_t = 0, in_es = 0;

	chess_fair_look(&fair, &enabled);
	for (x = 0; x < c->n; x++) {
		ASSERT_EQ(c->es[x], chess_set_has(&enabled, id[x]));
		ASSERT_EQ(paper_in_t(c, x), chess_fair_allows(&fair, &enabled, id[x]));
		ASSERT_FALSE(on_cycle(c, x));
		in_t += paper_in_t(c, x);
		in_es += c->es[x];
		for (y = 0; y < c->n; y++)
			edges += c->p[x][y];
	}
	ASSERT_EQ(edges, fair.edges);
	ASSERT_EQ(!in_es, !in_t);
	ASSERT_EQ(in_es - in_t, fair.out.count);
}

/* Any of those in T, now and then one that only is enabled, or whose wait times out. */
static unsigned int random_choice(const struct paper *c, bool *timed_out)
{
	unsigned int t, how = below(10), tries;

	*timed_out = !how;
	for (tries = 0; tries < 100; tries++) {
		t = below(c->n);
		if (how == 0 ? !c->es[t] : how == 1 ? c->es[t] : paper_in_t(c, t))
			return t;
	}
	*timed_out = true;
	return t;
}

static void random_run(unsigned int n, unsigned int k, unsigned int steps)
{
	unsigned int t, x, last = NONE;
	bool next_es[ROWS], yield, timed_out, yielded = true;
	struct paper c;

	begin(k, 0);
	paper_init(&c, n, k);
	for (x = 0; x < n; x++)
		if (below(4)) {
			c.es[x] = true;
			chess_set_add(&enabled, id[x]);
		}
	while (steps--) {
		t = random_choice(&c, &timed_out);
		memcpy(next_es, c.es, sizeof(next_es));
		for (x = 0; x < n; x++)
			if (!below(6))
				next_es[x] = !next_es[x];
		next_es[t] |= timed_out;
		yield = timed_out || !below(3);
		paper_step(&c, t, next_es, yield);
		/* What need not be said is not: a yield is a step as well. */
		if (yield ? below(2) : t != last || yielded)
			chess_fair_scheduled(&fair, id[t]);
		for (x = 0; x < n; x++) {
			if (chess_set_has(&enabled, id[x]) && !next_es[x]) {
				chess_set_remove(&enabled, id[x]);
				chess_fair_disabled(&fair, id[x], id[t]);
			} else if (next_es[x]) {
				chess_set_add(&enabled, id[x]);
			}
		}
		if (yield)
			chess_fair_yield(&fair, &row[t], id[t], &enabled);
		last = t;
		yielded = yield;
		expect_equal(&c);
	}
}

TEST(random_steps_are_those_of_the_paper)
{
	unsigned int n, k, seed;

	for (n = 2; n <= ROWS; n++)
		for (k = 1; k <= 3; k++)
			for (seed = 0; seed < 60; seed++) {
				random_state = seed * 1000 + n * 10 + k;
				random_run(n, k, 150);
			}
}

TEST_HARNESS_MAIN
