// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which shards workers get next (cli/shard/submit_plan.c).
 */
#include <stdint.h>

#include "internal.h"
#include "shard/submit_plan.h"
#include "../harness.h"

static const struct submit_waiting shards[] = {
	{ .level = 2, .weight = 0.5, .prefixes = 100 },
	{ .level = 1, .weight = 0.1, .prefixes = 1 },
	{ .level = 1, .weight = 0.3, .prefixes = 1 },
	{ .level = 1, .weight = 0.2, .prefixes = 1 },
};

static struct submit_state with(size_t workers, size_t running)
{
	return (struct submit_state){
		.workers = workers, .running = running, .waiting = shards, .n = ARRAY_SIZE(shards),
		.bound = 2, .stop = UINT32_MAX, .share = 30,
	};
}

TEST(lower_levels_first_and_of_these_the_heaviest)
{
	struct submit_state s = with(2, 0);
	struct submit_plan p;

	submit_plan(&s, &p);
	ASSERT_EQ(0u, p.n_again);
	ASSERT_EQ(2u, p.n_run);
	EXPECT_EQ(2u, p.run[0]);
	EXPECT_EQ(3u, p.run[1]);
	submit_plan_clear(&p);
}

TEST(a_higher_level_is_not_handed_out_while_a_lower_one_waits)
{
	struct submit_state s = with(10, 0);
	struct submit_plan p;

	submit_plan(&s, &p);
	EXPECT_EQ(0u, p.n_again);
	EXPECT_EQ(3u, p.n_run);
	submit_plan_clear(&p);
}

TEST(nothing_is_run_from_the_level_on_that_a_bug_has)
{
	struct submit_state s = with(10, 0);
	struct submit_plan p;

	s.stop = 1;
	submit_plan(&s, &p);
	EXPECT_EQ(0u, p.n_run + p.n_again);
	submit_plan_clear(&p);
}

TEST(busy_workers_get_nothing)
{
	struct submit_state s = with(4, 4);
	struct submit_plan p;

	submit_plan(&s, &p);
	EXPECT_EQ(0u, p.n_run + p.n_again + p.n_call);
	submit_plan_clear(&p);
}

TEST(what_waits_is_cut_for_all_idle_workers)
{
	struct submit_state s = with(4, 1);
	struct submit_plan p;

	s.n = 1;
	submit_plan(&s, &p);
	EXPECT_EQ(0u, p.n_run);
	ASSERT_EQ(1u, p.n_again);
	EXPECT_EQ(0u, p.again[0]);
	EXPECT_EQ(3u, p.pieces);
	submit_plan_clear(&p);
	/* 100 prefixes that may be no more than a run each, and that surely are more. */
	s.workers = 100;
	submit_plan(&s, &p);
	EXPECT_EQ(7u, p.pieces);
	submit_plan_clear(&p);
	s.bound = 3;
	submit_plan(&s, &p);
	EXPECT_EQ(99u, p.pieces);
	submit_plan_clear(&p);
}

TEST(the_oldest_shards_are_called_back_for_idle_workers)
{
	static const double age[] = { 29, 50, -1, 90, 31 };
	struct submit_state s = with(10, ARRAY_SIZE(age));
	struct submit_plan p;

	s.n = 0;
	s.age = age;
	submit_plan(&s, &p);
	/* One for each four. */
	ASSERT_EQ(2u, p.n_call);
	EXPECT_EQ(3u, p.call[0]);
	EXPECT_EQ(1u, p.call[1]);
	submit_plan_clear(&p);
	s.workers = 100;
	submit_plan(&s, &p);
	EXPECT_EQ(3u, p.n_call);
	submit_plan_clear(&p);
}

TEST(many_small_shards_are_put_together)
{
	struct submit_waiting small[100];
	struct submit_state s = with(2, 0);
	struct submit_plan p;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(small); i++)
		small[i] = (struct submit_waiting){ .level = 2, .weight = 0.001, .prefixes = 1 };
	s.waiting = small;
	s.n = ARRAY_SIZE(small);
	submit_plan(&s, &p);
	EXPECT_EQ(ARRAY_SIZE(small), p.n_again);
	EXPECT_EQ(2u, p.pieces);
	submit_plan_clear(&p);
}

TEST_HARNESS_MAIN
