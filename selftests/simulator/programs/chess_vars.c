// SPDX-License-Identifier: GPL-2.0-only
/*
 * CHESS's regression programs with interlocked operations, which are atomic
 * variables here, and those that do nothing but create threads. See chess_locks.c.
 */
#include <string.h>

#include "programs.h"

#define TABLE		128
#define MESSAGES	4
#define LEAVES		4

static struct {
	struct sim_var counter, other, flag[2], turn, critical, table[TABLE];
} g;

static void reset(void)
{
	memset(&g, 0, sizeof(g));
}

static void nothing(void *arg)
{
	(void)arg;
}

static void count(void *arg)
{
	(void)arg;
	sim_add(&g.counter, 1);
}

static void exit_thread(void *arg)
{
	(void)arg;
	run_tasks(nothing, 1);
}

static void four_threads(void *arg)
{
	(void)arg;
	run_tasks(nothing, LEAVES);
}

static void interlock1(void *arg)
{
	int other = sim_create(count, NULL);

	count(arg);
	sim_join(other);
}

static void interlock3(void *arg)
{
	int first = sim_create(count, NULL), second = sim_create(count, NULL);

	count(arg);
	sim_join(first);
	sim_join(second);
}

static void diamond(void *arg)
{
	int other = sim_create(count, NULL);

	(void)arg;
	sim_add(&g.other, 1);
	sim_join(other);
}

/* The indexer of Flanagan and Godefroid. A free entry is 0. */
static void index_messages(void *arg)
{
	long task = (long)arg + 1, m, w, h;

	for (m = 1; m <= MESSAGES; m++) {
		w = m * 11 + task;
		h = w * 7 % TABLE;
		while (!sim_cas(&g.table[h], 0, w))
			h = (h + 1) % TABLE;
	}
}

static void indexer(void *arg)
{
	(void)arg;
	run_tasks(index_messages, 2);
}

/*
 * CHESS sees no plain accesses, so the flags and whose turn it is are none of its
 * points: between two of them they are read and written at once.
 */
static void dekker_side(void *arg)
{
	long me = (long)arg;

	g.flag[me].value = 1;
	while (g.flag[!me].value == 1) {
		if (g.turn.value == !me) {
			g.flag[me].value = 0;
			while (g.turn.value == !me)
				sim_yield();
			g.flag[me].value = 1;
		}
		sim_yield();
	}
	g.critical.value = me;
	sim_assert(sim_add(&g.critical, 0) == me);
	g.turn.value = !me;
	g.flag[me].value = 0;
}

static void dekker(void *arg)
{
	(void)arg;
	run_tasks(dekker_side, 2);
}

#define PROGRAM(n, m) { .name = n, .reset = reset, .main = m }

const struct golden chess_vars[] = {
	{ .program = PROGRAM("et", exit_thread),
	  .runs = { 1, 1, 1 }, .classes = { 1, 1, 1 }, .steps = { 7, 7, 7 },
	  .verdict = CHESS_VERDICT_OK },
	{ .program = PROGRAM("trep", four_threads),
	  .runs = { 99, 99, 99 }, .classes = { 1, 1, 1 }, .steps = { 22, 22, 22 },
	  .verdict = CHESS_VERDICT_OK },
	{ .program = PROGRAM("interlock1", interlock1),
	  .runs = { 2, 3, 3 }, .classes = { 2, 2, 2 }, .steps = { 9, 9, 9 },
	  .verdict = CHESS_VERDICT_OK },
	{ .program = PROGRAM("interlock3", interlock3),
	  .runs = { 10, 20, 26 }, .classes = { 6, 6, 6 }, .steps = { 15, 15, 15 },
	  .verdict = CHESS_VERDICT_OK },
	{ .program = PROGRAM("diamond", diamond),
	  .runs = { 2, 3, 3 }, .classes = { 1, 1, 1 }, .steps = { 9, 9, 9 },
	  .verdict = CHESS_VERDICT_OK },
	{ .program = PROGRAM("cp-hash", indexer),
	  .runs = { 15, 47, 47 }, .classes = { 1, 1, 1 }, .steps = { 20, 20, 20 },
	  .verdict = CHESS_VERDICT_OK },
	{ .program = PROGRAM("dekker", dekker),
	  .runs = { 6, 10, 10 }, .classes = { 2, 2, 2 }, .steps = { 17, 17, 17 },
	  .verdict = CHESS_VERDICT_OK, .joins = 2 },
};

const size_t n_chess_vars = COUNT_OF(chess_vars);
