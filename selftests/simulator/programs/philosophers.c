// SPDX-License-Identifier: GPL-2.0-only
/*
 * The dining philosophers of PLDI'08, figure 1, whose states table 2 counts: each takes
 * its first fork, tries the second, and gives the first back when it does not get it;
 * then it gives way before it begins again. Where all begin with the left fork they can
 * do so for ever; to be counted, one begins with its right one, as in CHESS's test that
 * is free of livelock.
 *
 * The paper's table 1 has three threads for these, so T0 dines as well, and what is no
 * synchronization (the end of a thread) is not a point.
 */
#include <string.h>

#include "programs.h"

#define MOST	3

/* Each is at a line; T0 first at its creations, @made of them. */
static struct {
	struct sim_mutex fork[MOST];
	struct sim_event all_done;
	int at[MOST], made, n, left;
} g;

static void reset_to(int n)
{
	memset(&g, 0, sizeof(g));
	g.n = n;
	g.left = n;
}

static void reset2(void)
{
	reset_to(2);
}

static void reset3(void)
{
	reset_to(3);
}

#define AT(id) (g.at[id] = __LINE__)

static void philosopher(void *arg)
{
	long id = (long)arg, other = (id + 1) % g.n;
	struct sim_mutex *first = &g.fork[id == 1 ? other : id];
	struct sim_mutex *second = &g.fork[id == 1 ? id : other];

	for (;;) {
		AT(id);
		sim_lock(first);
		AT(id);
		if (sim_trylock(second))
			break;
		AT(id);
		sim_unlock(first);
		AT(id);
		sim_yield();
	}
	AT(id);
	sim_unlock(first);
	AT(id);
	sim_unlock(second);
	AT(id);
	if (!--g.left)
		g.all_done.set = true;
}

/*
 * One wait for all: joins one after the other would be more states. SIM_CHESS looks at
 * the event before each decision, so the last one need not do an op for it.
 */
static void dine(void *arg)
{
	long i;

	(void)arg;
	for (i = 1; i < g.n; i++) {
		sim_create(philosopher, (void *)i);
		g.made++;
	}
	philosopher((void *)0);
	sim_event_wait(&g.all_done);
	g.made++;
}

static uint64_t state(void)
{
	return digest_bytes(DIGEST_START, &g, sizeof(g));
}

const struct sim_program philosophers2 = {
	.name = "philosophers2", .reset = reset2, .main = dine, .state = state,
	.plain_end = true,
};

const struct sim_program philosophers3 = {
	.name = "philosophers3", .reset = reset3, .main = dine, .state = state,
	.plain_end = true,
};

const struct cover covers[] = {
	{ .program = &philosophers2, .name = "philosophers, 2",
	  .total = { 27, 28, 29, 29 }, .fair = { 27, 28, 29, 29 },
	  .unfair = { { 27, 27, 27, 27, 27 }, { 28, 28, 28, 28, 28 },
		      { 29, 29, 29, 29, 29 }, { 29, 29, 29, 29, 29 } } },
	{ .program = &philosophers3, .name = "philosophers, 3",
	  .total = { 102, 144, 167, 177 }, .fair = { 102, 144, 171, 177 },
	  .unfair = { { 102, 102, 102, 102, 102 }, { 143, 144, 144, 144, 144 },
		      { 167, 169, 169, 169, 169 }, { 174, 177, 177, 168, 139 } },
	  .stopped = { [3] = 1 << 4 | 1 << 5 } },
	{ .program = &stealing1, .name = "work stealing, 1",
	  .total = { 278, 814, 1287, 1726 }, .fair = { 278, 814, 1297, 1726 },
	  .unfair = { { 236, 278, 278, 278, 278 }, { 554, 765, 814, 814, 814 },
		      { 694, 1133, 1287, 1287, 1287 }, { 871, 1505, 1726, 1307, 683 } },
	  .stopped = { [3] = 1 << 4 | 1 << 5 } },
	{ .program = &stealing2_less, .name = "work stealing, 2, one item" },
	{ .program = &stealing2, .name = "work stealing, 2",
	  .total = { 350, 1838, 3271, 4826 }, .fair = { 378, 2000, 3311, 1321 },
	  .unfair = { { 238, 334, 350, 350, 350 }, { 971, 1630, 1822, 1838, 1838 },
		      { 1805, 2955, 3269, 3271, 3271 }, { 1686, 1239, 460, 245, 245 } },
	  .stopped = { [3] = 0x3f } },
};

const size_t n_covers = COUNT_OF(covers);
