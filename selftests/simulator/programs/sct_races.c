// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs of SCTBench whose bug is a race: the accesses to the variables that race
 * are points, as SCTBench's tools make them. See sct_locks.c.
 */
#include <string.h>

#include "programs.h"

#define RING		3

static struct {
	struct sim_mutex data_lock, this_lock;
	struct sim_var a, b, data;
	struct sim_var stopping, pending, event, stopped;
	struct sim_var section;
	int ring[RING], passed[RING];
} g;

static void reset(void)
{
	memset(&g, 0, sizeof(g));
}

static void reset_driver(void)
{
	reset();
	g.pending.value = 1;
}

static void reset_ring(void)
{
	reset();
	g.ring[0] = 1;
	g.ring[1] = 2;
	g.ring[2] = 1;
}

/* bluetooth_driver_bad (Qadeer and Wu, PLDI'04): work begins on a stopped driver */
static void let_go(void)
{
	if (!sim_add(&g.pending, -1))
		sim_store(&g.event, 1);
}

static void stop_driver(void *arg)
{
	(void)arg;
	sim_store(&g.stopping, 1);
	let_go();
	if (sim_load(&g.event))
		sim_store(&g.stopped, 1);
}

static void bluetooth(void *arg)
{
	int other = sim_create(stop_driver, NULL);

	(void)arg;
	if (!sim_load(&g.stopping)) {
		sim_add(&g.pending, 1);
		sim_assert(!sim_load(&g.stopped));
	}
	let_go();
	sim_join(other);
}

/* reorder_N_bad: two values that are set one after the other */
static void set_both(void *arg)
{
	(void)arg;
	sim_store(&g.a, 1);
	sim_store(&g.b, -1);
}

static void check_both(void *arg)
{
	(void)arg;
	if (sim_load(&g.a) == 0 && sim_load(&g.b) == 0)
		return;
	sim_assert(sim_load(&g.a) == 1 && sim_load(&g.b) == -1);
}

#define REORDER(n, setters, checks) \
static void reorder_##n(void *arg) \
{ \
	(void)arg; \
	run_two_kinds(set_both, setters, check_both, checks); \
}
REORDER(3, 2, 1)
REORDER(4, 3, 1)
REORDER(5, 4, 1)
REORDER(10, 9, 1)
REORDER(20, 10, 10)

/* token_ring_bad: each task passes a number on; the check asks for one order */
static void pass(long i)
{
	sim_add(&g.section, 1);
	g.ring[i] = i ? g.ring[i - 1] : (g.ring[RING - 1] + 1) % 4;
	g.passed[i] = 1;
}

static void pass_or_check(void *arg)
{
	long i = (long)arg;

	if (i < RING) {
		pass(i);
		return;
	}
	sim_add(&g.section, 1);
	if (g.passed[0] && g.passed[1] && g.passed[2])
		sim_assert(g.ring[0] == g.ring[1] && g.ring[1] == g.ring[2]);
}

static void token_ring(void *arg)
{
	long i;

	(void)arg;
	for (i = 0; i <= RING; i++)
		sim_create(pass_or_check, (void *)i);
}

/* wronglock_bad: all but one use a lock of their own */
static void add_with_check(void *arg)
{
	long before;

	(void)arg;
	sim_lock(&g.data_lock);
	before = sim_load(&g.data);
	sim_store(&g.data, sim_load(&g.data) + 1);
	sim_assert(sim_load(&g.data) == before + 1);
	sim_unlock(&g.data_lock);
}

static void add_with_other(void *arg)
{
	(void)arg;
	sim_lock(&g.this_lock);
	sim_store(&g.data, sim_load(&g.data) + 1);
	sim_unlock(&g.this_lock);
}

static void add_by_number(void *arg)
{
	if (arg)
		add_with_other(arg);
	else
		add_with_check(arg);
}

static void wrong_lock(void *arg)
{
	(void)arg;
	run_tasks(add_by_number, 8);
}

static void wrong_lock_3(void *arg)
{
	(void)arg;
	run_tasks(add_by_number, 4);
}

#define PROGRAM(n, r, m) { .name = n, .reset = r, .main = m }

const struct sct sct_races[] = {
	{ PROGRAM("bluetooth_driver_bad", reset_driver, bluetooth), 1, CHESS_VERDICT_ASSERT,
	  { 11, 9.0, 70.2, 112.5, 83.0, 36.1, 214.7 },
	  { 20 } },
	{ PROGRAM("reorder_3_bad", reset, reorder_3), 1, CHESS_VERDICT_ASSERT,
	  { 10, 6.0, 7.3, 185.2, 148.1, 85.5, -1 },
	  { 20, [6] = 20 } },
	{ PROGRAM("reorder_4_bad", reset, reorder_4), 1, CHESS_VERDICT_ASSERT,
	  { 11, 9.0, 7.3, 554, 362.3, 533, -1 },
	  { 20, [6] = 20 } },
	{ PROGRAM("reorder_5_bad", reset, reorder_5), 1, CHESS_VERDICT_ASSERT,
	  { 11, 12.0, 10.4, 646.8, 1094.2, 2169.1, -1 },
	  { 20, [6] = 20 } },
	{ PROGRAM("reorder_10_bad", reset, reorder_10), 1, CHESS_VERDICT_ASSERT,
	  { 11, 27.0, 17.2, 3225.3, 4461.9, -1, -1 },
	  { 20, [3] = 4, 8, 20, 20 } },
	{ PROGRAM("reorder_20_bad", reset, reorder_20), 1, CHESS_VERDICT_ASSERT,
	  { 11, 39.0, 6.0, 3005.1, 3297.3, -1, -1 },
	  { 20, [4] = 3, 20, 20 } },
	{ PROGRAM("token_ring_bad", reset_ring, token_ring), 0, CHESS_VERDICT_ASSERT,
	  { 5, 2.0, 8.2, 8.2, 7.8, 8.6, 13 }, { 0 } },
	{ PROGRAM("wronglock_3_bad", reset, wrong_lock_3), 1, CHESS_VERDICT_ASSERT,
	  { 6, 5.0, 8.8, 58.1, 14.1, 10.8, 35.9 }, { 0 } },
	{ PROGRAM("wronglock_bad", reset, wrong_lock), 1, CHESS_VERDICT_ASSERT,
	  { 6, 4.3, 7.5, 51.1, 20.1, 10.2, 35.9 }, { 0 } },
};

const size_t n_sct_races = COUNT_OF(sct_races);
