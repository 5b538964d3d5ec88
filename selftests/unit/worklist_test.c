// SPDX-License-Identifier: GPL-2.0-only
/*
 * The work list of searches on forks: which prefix is next, that what is packed comes back
 * as it was, and how much memory a prefix takes.
 */
#include <malloc.h>
#include <stdlib.h>

#include "harness.h"
#include "search/trunk.h"
#include "search/worklist.h"

/* A run of these tasks; the caller's reference. */
static struct chess_trunk *run_of(const uint16_t *tasks, size_t n, struct chess_trunk *source,
				  size_t shared)
{
	struct chess_record *r = chess_record_new();
	struct chess_trunk *t;
	size_t i;

	for (i = 0; i < n; i++)
		chess_record_push(r, &(struct chess_event){
			.type = CHESS_EVENT_POINT, .seq = i + 1, .chosen = tasks[i],
			.enabled = ~0ULL,
		}, 1);
	t = chess_trunk_new(source, shared, r);
	chess_record_free(r);
	return t;
}

static struct fork fork_at(uint32_t at, uint16_t task)
{
	return (struct fork){ .at = at, .task = task, .print = at * 31 & 0xffffff, .weight = 1 };
}

/* Decision and task of the next prefix of @level, as one number; -1: there is none. */
static int64_t take(struct chess_worklist *w, unsigned int level)
{
	struct chess_waiting t;

	if (!chess_worklist_take(w, level, &t))
		return -1;
	chess_trunk_put(t.source);
	return (int64_t)t.fork.at * 10000 + t.fork.task;
}

#define AT(at, task) ((at) * 10000LL + (task))

/* Forks of three runs in rows 3 and 1, of a fourth in another level. */
TEST(fewest_free_choices_first_then_the_oldest)
{
	const uint16_t tasks[] = { 0, 0, 1 };
	struct chess_trunk *t = run_of(tasks, 3, NULL, 0);
	struct chess_worklist *w = chess_worklist_new();
	struct fork a[] = { fork_at(3, 1), fork_at(3, 2), fork_at(7, 1) };
	struct fork b[] = { fork_at(2, 1) }, c[] = { fork_at(9, 4), fork_at(11, 5) };
	unsigned int level;

	EXPECT_TRUE(!chess_worklist_lowest(w, &level));
	EXPECT_EQ(take(w, 5), -1);
	EXPECT_EQ(chess_worklist_push(w, 2, 3, false, t, a, 3), 0);
	EXPECT_EQ(chess_worklist_push(w, 2, 1, false, t, b, 1), 0);
	EXPECT_EQ(chess_worklist_push(w, 2, 1, false, t, c, 2), 0);
	EXPECT_EQ(chess_worklist_push(w, 4, 0, false, t, c, 1), 0);
	EXPECT_EQ(chess_worklist_count(w), 7UL);
	EXPECT_EQ(chess_worklist_count_at(w, 2), 6UL);
	EXPECT_TRUE(chess_worklist_lowest(w, &level));
	EXPECT_EQ(level, 2U);
	EXPECT_EQ(take(w, 2), AT(2, 1));
	/* A row that was done has one again. */
	EXPECT_EQ(chess_worklist_push(w, 2, 0, false, t, b, 1), 0);
	EXPECT_EQ(take(w, 2), AT(2, 1));
	EXPECT_EQ(take(w, 2), AT(9, 4));
	EXPECT_EQ(take(w, 2), AT(11, 5));
	EXPECT_EQ(take(w, 2), AT(3, 1));
	EXPECT_EQ(take(w, 2), AT(3, 2));
	EXPECT_EQ(take(w, 2), AT(7, 1));
	EXPECT_EQ(take(w, 2), -1);
	EXPECT_TRUE(chess_worklist_lowest(w, &level));
	EXPECT_EQ(level, 4U);
	EXPECT_EQ(chess_worklist_count(w), 1UL);
	chess_worklist_free(w);
	chess_trunk_put(t);
}

/* Whatever the row: only when no other prefix of the level waits. */
TEST(those_that_come_last_do)
{
	const uint16_t tasks[] = { 0 };
	struct chess_trunk *t = run_of(tasks, 1, NULL, 0);
	struct chess_worklist *w = chess_worklist_new();
	struct fork late[] = { fork_at(1, 1), fork_at(4, 1) }, other[] = { fork_at(9, 1) };
	struct chess_waiting next;

	EXPECT_EQ(chess_worklist_push(w, 1, 0, true, t, late, 2), 0);
	EXPECT_EQ(chess_worklist_push(w, 1, 2, false, t, other, 1), 0);
	EXPECT_EQ(chess_worklist_count_at(w, 1), 3UL);
	EXPECT_TRUE(chess_worklist_peek(w, 1, &next));
	EXPECT_TRUE(next.fork.at == 1);
	EXPECT_EQ(take(w, 1), AT(9, 1));
	EXPECT_EQ(take(w, 1), AT(1, 1));
	EXPECT_EQ(chess_worklist_push(w, 1, 3, false, t, other, 1), 0);
	EXPECT_EQ(take(w, 1), AT(9, 1));
	EXPECT_EQ(take(w, 1), AT(4, 1));
	EXPECT_EQ(take(w, 1), -1);
	EXPECT_EQ(chess_worklist_push(w, 1, 0, true, t, late, 2), 0);
	chess_worklist_free(w);
	chess_trunk_put(t);
}

/* Every second prefix is from the stack, the last of the last run; the others from rows. */
TEST(stack_and_rows_take_turns)
{
	const uint16_t tasks[] = { 0 };
	struct chess_trunk *t = run_of(tasks, 1, NULL, 0);
	struct chess_worklist *w = chess_worklist_new();
	struct fork rows[] = { fork_at(1, 1), fork_at(2, 1), fork_at(3, 1) };
	struct fork old[] = { fork_at(10, 1), fork_at(11, 1) }, young[] = { fork_at(20, 1) };
	static const struct { uint32_t at; bool deep; } want[] = {
		{ 1, false }, { 20, true }, { 2, false }, { 11, true }, { 3, false }, { 10, true },
	};
	struct chess_waiting out;
	size_t i;

	EXPECT_EQ(chess_worklist_push(w, 0, 0, false, t, rows, 3), 0);
	EXPECT_EQ(chess_worklist_push_next(w, 0, t, old, 2), 0);
	EXPECT_EQ(chess_worklist_push_next(w, 0, t, young, 1), 0);
	for (i = 0; i < 6; i++) {
		EXPECT_TRUE(chess_worklist_peek(w, i, &out));
		EXPECT_TRUE(out.fork.at == want[i].at);
	}
	for (i = 0; i < 6; i++) {
		EXPECT_TRUE(chess_worklist_take(w, 0, &out));
		EXPECT_TRUE(out.fork.at == want[i].at);
		EXPECT_EQ(out.deep, want[i].deep);
		chess_trunk_put(out.source);
	}
	/* Where one of them has none, the other one has all turns, and whose it was is reported. */
	EXPECT_EQ(chess_worklist_push(w, 0, 0, false, t, rows, 2), 0);
	for (i = 0; i < 2; i++) {
		EXPECT_TRUE(chess_worklist_take(w, 0, &out));
		EXPECT_TRUE(out.fork.at == i + 1);
		EXPECT_EQ(out.deep, i == 1);
		chess_trunk_put(out.source);
	}
	EXPECT_EQ(chess_worklist_push_next(w, 0, t, old, 2), 0);
	EXPECT_EQ(take(w, 0), AT(11, 1));
	EXPECT_EQ(take(w, 0), AT(10, 1));
	EXPECT_EQ(take(w, 0), -1);
	chess_worklist_free(w);
	chess_trunk_put(t);
}

/* All that is pushed comes back, as peek said before; whatever its size. */
TEST(what_is_packed_comes_back)
{
	const uint16_t tasks[] = { 0 };
	struct chess_trunk *t = run_of(tasks, 1, NULL, 0);
	struct chess_worklist *w = chess_worklist_new();
	struct fork fork[300], *all = calloc(200 * 300, sizeof(*all));
	struct chess_waiting out;
	unsigned int i, k, n, total = 0;
	uint32_t seed = 1, at;
	double mean;

	for (i = 0; i < 200; i++) {
		seed = seed * 1103515245 + 12345;
		n = 1 + (seed >> 16) % 300;
		for (k = 0, at = 0; k < n; k++) {
			seed = seed * 1103515245 + 12345;
			at += (seed >> 16) % 3 ? (seed >> 20) % 40 : 0;
			if (!((seed >> 8) % 512))
				at += (1 << 20) % (((1 << 22) - 1) - at ? ((1 << 22) - 1) - at : 1);
			fork[k] = fork_at(at, (seed >> 12) % ((seed >> 28) ? 20 : 4096));
			fork[k].weight = at & 1 ? 0.5f : 1e-30f;
			/* Equal place, other print: may not be taken for the same. */
			fork[k].print ^= (seed >> 30) & 1;
			all[total++] = fork[k];
		}
		EXPECT_EQ(chess_worklist_push(w, 0, 0, false, t, fork, n), 0);
		for (k = 0, mean = 0; k < n; k++)
			mean += fork[k].weight / n;
		for (k = total - n; k < total; k++)
			all[k].weight = mean;
	}
	EXPECT_EQ(chess_worklist_count(w), total);
	for (i = 0; i < total; i++) {
		if (!(i % 97) && i + 150 < total) {
			EXPECT_TRUE(chess_worklist_peek(w, 150, &out));
			EXPECT_TRUE(out.fork.at == all[i + 150].at);
			EXPECT_TRUE(out.fork.task == all[i + 150].task);
		}
		EXPECT_TRUE(chess_worklist_take(w, 0, &out));
		EXPECT_TRUE(out.source == t);
		EXPECT_TRUE(out.fork.at == all[i].at);
		EXPECT_TRUE(out.fork.task == all[i].task);
		EXPECT_TRUE(out.fork.print == all[i].print);
		/* The mean of what was pushed at once; sixteen of 24 bits are left of it. */
		EXPECT_TRUE(out.fork.weight <= all[i].weight * 1.00001f &&
			    out.fork.weight > all[i].weight * 0.9999f);
		chess_trunk_put(out.source);
	}
	EXPECT_TRUE(!chess_worklist_peek(w, 0, &out));
	chess_worklist_free(w);
	chess_trunk_put(t);
	free(all);
}

/* Runs of many decisions for one task, of many tasks, and of those of another run. */
TEST(decisions_of_runs_come_back)
{
	enum { N = 5000 };
	static uint16_t tasks[N];
	struct chess_schedule *s = chess_schedule_new();
	struct chess_trunk *first, *second;
	size_t i;

	for (i = 0; i < N; i++)
		tasks[i] = i < 1000 ? 7 : i < 1014 ? 14 : i < 1030 ? 15 : i < 4000 ? i : 4095;
	first = run_of(tasks, N, NULL, 0);
	tasks[2000] = 3;
	tasks[N - 1] = 9;
	second = run_of(tasks, N, first, 2000);
	EXPECT_EQ(chess_trunk_decisions(second, N, s), 0);
	EXPECT_EQ(chess_schedule_length(s), (size_t)N);
	for (i = 0; i < N; i++)
		EXPECT_EQ(chess_schedule_task(s, i), tasks[i]);
	chess_schedule_free(s);
	s = chess_schedule_new();
	EXPECT_EQ(chess_trunk_decisions(second, 1234, s), 0);
	EXPECT_EQ(chess_schedule_length(s), 1234UL);
	chess_schedule_free(s);
	chess_trunk_put(first);
	chess_trunk_put(second);
}

/*
 * 100,000 runs, each with ten forks at ten decisions, near each other: a byte for place and
 * task, three for the print, three for the weight, a reference and a number for all ten of
 * 9 bytes: 79 bytes a run. Whatever is left over at the ends of pieces is less than a tenth.
 */
TEST(a_prefix_that_waits_takes_eight_bytes)
{
	enum { RUNS = 100000, WAYS = 10 };
	const uint16_t tasks[] = { 0 };
	struct chess_trunk *t = run_of(tasks, 1, NULL, 0);
	struct chess_worklist *w = chess_worklist_new();
	size_t before = mallinfo2().uordblks + mallinfo2().hblkhd, now;
	struct fork fork[WAYS];
	unsigned int i;

	for (i = 0; i < WAYS; i++)
		fork[i] = fork_at(3 + i * 4, i % 3);
	for (i = 0; i < RUNS; i++)
		EXPECT_EQ(chess_worklist_push(w, 1, 2, false, t, fork, WAYS), 0);
	now = mallinfo2().uordblks + mallinfo2().hblkhd;
	EXPECT_LT(now - before, RUNS * 79 * 1.1);
	chess_worklist_free(w);
	EXPECT_LT(mallinfo2().uordblks + mallinfo2().hblkhd, before + 4096);
	chess_trunk_put(t);
}

TEST_HARNESS_MAIN
