// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves which sites of a run are known to be left out, and up to where its accesses have all
 * that orders others.
 */
#include <stdlib.h>

#include "harness.h"
#include "race/retired.h"

#define ACCESS(s)	{ .site = s, .kind = CHESS_ACCESS_WRITE }
#define END(s)		{ .site = s, .kind = CHESS_ACCESS_TOLD, .size = CHESS_TOLD_RETIRED }
/* Something else about a task, with a number that is no site. */
#define SENT(s)		{ .site = s, .kind = CHESS_ACCESS_TOLD, .size = CHESS_TOLD_SENT }

static bool orders(void *arg, const struct chess_access *a)
{
	return a->site == *(uint32_t *)arg;
}

static bool from(void *arg, const struct chess_access *a)
{
	return a->site >= *(uint32_t *)arg;
}

static struct chess_retired find(struct chess_access *v, size_t n, uint32_t ordering)
{
	const struct chess_run_result run = { .accesses = v, .n_accesses = n };
	struct chess_retired r;

	EXPECT_EQ(0, chess_retired_find(&run, orders, &ordering, &r));
	return r;
}

TEST(none_is_left_out)
{
	struct chess_access v[] = { ACCESS(1), SENT(2), ACCESS(2) };
	struct chess_retired r = find(v, 3, 1);

	EXPECT_EQ(0u, r.n);
	EXPECT_EQ(0u, r.told);
	EXPECT_EQ(3u, r.whole);
	EXPECT_TRUE(!r.site);
}

TEST(each_is_named_once_in_order)
{
	struct chess_access v[] = {
		ACCESS(7), END(7), ACCESS(3), END(3), SENT(5), ACCESS(7), END(7), ACCESS(1),
	};
	struct chess_retired r = find(v, 8, 99);

	EXPECT_EQ(2u, r.n);
	EXPECT_EQ(3u, r.told);
	EXPECT_EQ(3u, r.site[0]);
	EXPECT_EQ(7u, r.site[1]);
	EXPECT_EQ(8u, r.whole);
	free(r.site);
}

TEST(what_comes_after_the_end_of_an_ordering_site_is_not_whole)
{
	struct chess_access v[] = {
		ACCESS(7), ACCESS(3), END(7), ACCESS(3), END(3), ACCESS(3), ACCESS(1),
	};
	struct chess_retired r = find(v, 7, 3);

	EXPECT_EQ(4u, r.whole);
	free(r.site);
	r = find(v, 7, 7);
	EXPECT_EQ(2u, r.whole);
	free(r.site);
	/* It orders, but all of it is there. */
	r = find(v, 7, 1);
	EXPECT_EQ(7u, r.whole);
	free(r.site);
}

/* The same site may order at one address and not at another. */
TEST(an_access_after_the_end_shows_as_well_that_it_orders)
{
	struct chess_access v[] = { END(3), ACCESS(1), ACCESS(3) };
	struct chess_retired r = find(v, 3, 3);

	EXPECT_EQ(0u, r.whole);
	free(r.site);
}

/* Two sites by turns, each with its end at the end of the run: a pass for each access would be
 * 10^11 steps, for which the harness does not wait.
 */
TEST(a_long_run_takes_a_few_passes)
{
	const size_t n = 500000;
	struct chess_access *v = calloc(n + 2, sizeof(*v));
	uint32_t both = 7;
	struct chess_retired r;
	size_t i;

	ASSERT_NE(NULL, v);
	for (i = 0; i < n; i++)
		v[i] = (struct chess_access)ACCESS(7 + i % 2);
	v[n] = (struct chess_access)END(8);
	v[n + 1] = (struct chess_access)END(7);
	EXPECT_EQ(0, chess_retired_find(&(struct chess_run_result) {
		.accesses = v, .n_accesses = n + 2,
	}, from, &both, &r));
	EXPECT_EQ(2u, r.n);
	EXPECT_EQ(n, r.whole);
	free(r.site);
	free(v);
}

TEST_HARNESS_MAIN
