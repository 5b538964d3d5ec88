// SPDX-License-Identifier: GPL-2.0-only
/*
 * CHESS's regression programs with critical sections, which are mutexes here. What
 * the programs do in which order is that of the tests named as they are in the Win32
 * test suite of CHESS, with their published figures.
 */
#include <string.h>

#include "programs.h"

#define PHILOSOPHERS	2
#define BLOCKS		4
#define EARLIER		40

static struct {
	struct sim_mutex a, b, fork[PHILOSOPHERS], inode[BLOCKS], block[BLOCKS];
	int owner[BLOCKS];
	bool busy[BLOCKS];
	int x, y;
} g;

static void reset(void)
{
	memset(&g, 0, sizeof(g));
}

static void touch(struct sim_mutex *m)
{
	sim_lock(m);
	sim_unlock(m);
}

static void touch_a(void *arg)
{
	(void)arg;
	touch(&g.a);
}

static void one_thread(void *arg)
{
	touch_a(arg);
}

static void two_threads(void *arg)
{
	int other = sim_create(touch_a, NULL);

	touch_a(arg);
	sim_join(other);
}

static void many_threads(void *arg)
{
	int i;

	for (i = 0; i < EARLIER; i++)
		sim_join(sim_create(touch_a, NULL));
	two_threads(arg);
}

static void lazy_init(void *arg)
{
	touch_a(arg);
	two_threads(arg);
}

static void nested(struct sim_mutex *outer, struct sim_mutex *inner)
{
	sim_lock(outer);
	sim_lock(inner);
	sim_unlock(inner);
	sim_unlock(outer);
}

static void a_then_b(void *arg)
{
	(void)arg;
	nested(&g.a, &g.b);
}

static void deadlock(void *arg)
{
	int other = sim_create(a_then_b, NULL);

	(void)arg;
	nested(&g.b, &g.a);
	sim_join(other);
}

/* A critical section may be entered twice; it is left only once, so never given back. */
static void self_deadlock(void *arg)
{
	int other = sim_create(touch_a, NULL);

	(void)arg;
	sim_lock(&g.a);
	sim_trylock(&g.a);
	sim_trylock(&g.a);
	sim_join(other);
}

/* Two mutexes owned by T0, one of which another task gives back in vain. */
static void release_not_own(void *arg)
{
	(void)arg;
	sim_trylock(&g.a);
	sim_lock(&g.b);
}

static void reset_owned(void)
{
	reset();
	g.a.owner = 1;
	g.b.owner = 1;
}

static void mutex(void *arg)
{
	int other = sim_create(release_not_own, NULL);

	(void)arg;
	sim_trylock(&g.a);
	sim_unlock(&g.b);
	sim_join(other);
}

static void philosopher(struct sim_mutex *first, struct sim_mutex *second)
{
	for (;;) {
		if (sim_trylock(first)) {
			if (sim_trylock(second))
				break;
			sim_unlock(first);
		}
		sim_yield();
	}
	sim_unlock(first);
	sim_unlock(second);
}

static void left_first(void *arg)
{
	long i = (long)arg;

	philosopher(&g.fork[i], &g.fork[(i + 1) % PHILOSOPHERS]);
}

static void lower_first(void *arg)
{
	(void)arg;
	philosopher(&g.fork[1], &g.fork[0]);
}

static void dining(void *arg)
{
	(void)arg;
	run_tasks(left_first, PHILOSOPHERS);
}

static void ordered_dining(void *arg)
{
	(void)arg;
	run_tasks(lower_first, PHILOSOPHERS);
}

/* Frangipani's file system, by Flanagan and Godefroid: an inode takes a free block. */
static void take_block(void *arg)
{
	long i = (long)arg % BLOCKS, b = i * 2 % BLOCKS;
	bool found = false;

	sim_lock(&g.inode[i]);
	while (!g.owner[i] && !found) {
		sim_lock(&g.block[b]);
		found = !g.busy[b];
		if (found) {
			g.busy[b] = true;
			g.owner[i] = b + 1;
		}
		sim_unlock(&g.block[b]);
		b = (b + 1) % BLOCKS;
	}
	sim_unlock(&g.inode[i]);
}

static void file_system(void *arg)
{
	(void)arg;
	run_tasks(take_block, 3);
}

#define PROGRAM(n, r, m) { .name = n, .reset = r, .main = m }

const struct golden chess_locks[] = {
	{ .program = PROGRAM("onethread", reset, one_thread),
	  .runs = { 1, 1, 1 }, .classes = { 1, 1, 1 }, .steps = { 4, 4, 4 },
	  .verdict = CHESS_VERDICT_OK },
	{ .program = PROGRAM("twothreads", reset, two_threads),
	  .runs = { 3, 4, 4 }, .classes = { 2, 2, 2 }, .steps = { 11, 11, 11 },
	  .verdict = CHESS_VERDICT_OK },
	{ .program = PROGRAM("lotsofthreads2", reset, many_threads),
	  .runs = { 3, 4, 4 }, .classes = { 2, 2, 2 }, .steps = { 291, 291, 291 },
	  .verdict = CHESS_VERDICT_OK },
	{ .program = PROGRAM("lazyinit", reset, lazy_init),
	  .runs = { 5, 6, 6 }, .classes = { 3, 3, 3 }, .steps = { 13, 13, 13 },
	  .verdict = CHESS_VERDICT_OK,
	  .differs = "CHESS's first run alone initializes: a variable survives from run to run" },
	{ .program = PROGRAM("deadlock", reset, deadlock),
	  .runs = { 4, 6, 6 }, .classes = { 2, 2, 2 }, .steps = { 15, 15, 15 },
	  .verdict = CHESS_VERDICT_DEADLOCK },
	{ .program = PROGRAM("selfdeadlock", reset, self_deadlock),
	  .runs = { 1, 1, 1 }, .classes = { 1, 1, 1 }, .steps = { 6, 6, 6 },
	  .verdict = CHESS_VERDICT_DEADLOCK },
	{ .program = PROGRAM("mutex", reset_owned, mutex),
	  .runs = { 3, 5, 5 }, .classes = { 2, 2, 2 }, .steps = { 11, 11, 11 },
	  .verdict = CHESS_VERDICT_OK },
	{ .program = PROGRAM("diningphil", reset, dining),
	  .runs = { 18, 83, 253 }, .classes = { 6, 20, 64 }, .steps = { 27, 35, 43 },
	  .verdict = CHESS_VERDICT_OK, .joins = 2 },
	{ .program = PROGRAM("livelockfreediningphil", reset, ordered_dining),
	  .runs = { 18, 83, 183 }, .classes = { 6, 14, 24 }, .steps = { 27, 31, 35 },
	  .verdict = CHESS_VERDICT_OK, .joins = 2 },
	{ .program = PROGRAM("cp-fs", reset, file_system),
	  .runs = { 158, 852, 1794 }, .classes = { 2, 2, 2 }, .steps = { 31, 31, 31 },
	  .verdict = CHESS_VERDICT_OK },
};

const size_t n_chess_locks = COUNT_OF(chess_locks);
