// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that the course of a search of any length fits a picture: it begins with the first run,
 * it rises, and it has no gap that is longer than two of its steps.
 */
#include "../../cli/html/html_curve.c"
#include "harness.h"

static struct html_curve curve;

static void make(uint64_t runs, uint64_t first_bug, uint64_t again)
{
	uint64_t i;

	curve = (struct html_curve){ 0 };
	for (i = 1; i <= runs; i++)
		html_curve_add(&curve, &(struct html_sample){
			.runs = i, .classes = i >= again ? (i - again) / 2 : i / 2,
			.seconds = i / 100.0, .found = first_bug && i >= first_bug,
		});
}

TEST(few_runs_are_all_there)
{
	size_t i;

	make(HTML_SAMPLES, 0, UINT64_MAX);
	ASSERT_EQ((size_t)HTML_SAMPLES, curve.n);
	for (i = 0; i < curve.n; i++)
		EXPECT_EQ(i + 1, curve.v[i].runs);
	EXPECT_EQ(0u, curve.first_found);
}

TEST(many_runs_fit)
{
	static const uint64_t lengths[] = { HTML_SAMPLES + 1, 1000, 4096, 100000, 3000001 };
	size_t i, k;

	for (k = 0; k < sizeof(lengths) / sizeof(lengths[0]); k++) {
		make(lengths[k], 777, UINT64_MAX);
		ASSERT_LE(curve.n, (size_t)HTML_SAMPLES);
		EXPECT_GE(curve.n, (size_t)HTML_SAMPLES / 4);
		EXPECT_EQ(1u, curve.v[0].runs);
		for (i = 1; i < curve.n; i++) {
			EXPECT_LT(curve.v[i - 1].runs, curve.v[i].runs);
			EXPECT_LE(curve.v[i].runs - curve.v[i - 1].runs, 2 * curve.every);
		}
		EXPECT_EQ(lengths[k], curve.last.runs);
		EXPECT_LE(lengths[k] - curve.v[curve.n - 1].runs, curve.every);
		EXPECT_EQ(lengths[k] >= 777 ? 777u : 0u, curve.first_found);
	}
}

/* What is kept because of a bug, or because the search begins again, does not use up the room. */
TEST(every_run_fails_or_begins_again)
{
	uint64_t i;

	curve = (struct html_curve){ 0 };
	for (i = 1; i <= 100000; i++)
		html_curve_add(&curve, &(struct html_sample){ .runs = i, .found = i,
							      .classes = 1000000 - i });
	EXPECT_LE(curve.n, (size_t)HTML_SAMPLES);
	EXPECT_EQ(100000u, curve.v[curve.n - 1].runs);
	make(5000, 0, 4990);
	for (i = 0; i < curve.n && curve.v[i].runs != 4990; i++)
		;
	EXPECT_LT(i, curve.n);
}

TEST_HARNESS_MAIN
