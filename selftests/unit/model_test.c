// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds the programs under programs/ against the model: what each one's comment
 * expects (runs per bound, or verdict and smallest number of preemptions) must be
 * what plain enumeration finds. programs.sh then holds chessctl against the same
 * comments. The model is small and self-contained, so it is compiled in here.
 */
#include "harness.h"

#include "model/model.c"
#include "model/futex.c"
#include "model/kernel.c"
#include "model/correct.c"
#include "model/wrong.c"

#include <dirent.h>

#define LIMIT	1000000u /* runs; far above what a program may need */
#define BOUNDS	3

/* the line of @dir/@name.c that starts with " * expect: ", without that start */
static void expectation(const char *dir, const char *name, char *out, size_t size)
{
	static const char start[] = " * expect: ";
	char path[256], line[256];
	unsigned int found = 0;
	FILE *f;

	snprintf(path, sizeof(path), "programs/%s/%s.c", dir, name);
	f = fopen(path, "r");
	ASSERT_TRUE(f);
	while (fgets(line, sizeof(line), f)) {
		if (strncmp(line, start, strlen(start)))
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(out, size, "%s", line + strlen(start));
		found++;
	}
	fclose(f);
	ASSERT_EQ(1u, found);
}

static unsigned int count_models(const struct model_program *p)
{
	unsigned int n = 0;

	while (p[n].name)
		n++;
	return n;
}

static unsigned int count_sources(const char *path)
{
	unsigned int n = 0;
	struct dirent *e;
	DIR *d = opendir(path);

	ASSERT_TRUE(d);
	while ((e = readdir(d))) {
		size_t length = strlen(e->d_name);

		n += length > 2 && !strcmp(e->d_name + length - 2, ".c");
	}
	closedir(d);
	return n;
}

TEST(every_program_has_a_model)
{
	EXPECT_EQ(count_sources("programs/correct"), count_models(model_correct));
	EXPECT_EQ(count_sources("programs/wrong"), count_models(model_wrong));
	EXPECT_GE(count_models(model_correct), 12u);
	EXPECT_GE(count_models(model_wrong), 16u);
}

TEST(correct_programs_have_the_expected_number_of_runs)
{
	const struct model_program *p;

	for (p = model_correct; p->name; p++) {
		char want[256], seen[256];
		unsigned long long runs[BOUNDS];

		expectation("correct", p->name, want, sizeof(want));
		for (unsigned int b = 0; b < BOUNDS; b++) {
			struct model_result r = model_enumerate(p, b, LIMIT);

			TH_LOG("%s bound %u: %llu runs, at most %u points", p->name, b,
			       (unsigned long long)r.runs, r.max_points);
			EXPECT_FALSE(r.endless);
			EXPECT_LT(r.runs, LIMIT);
			EXPECT_EQ(r.runs, r.ended[MODEL_OK]);
			runs[b] = r.runs;
		}
		snprintf(seen, sizeof(seen), "verdict=ok runs=%llu,%llu,%llu",
			 runs[0], runs[1], runs[2]);
		EXPECT_STREQ(seen, want);
	}
}

TEST(wrong_programs_fail_first_with_the_expected_preemptions)
{
	const struct model_program *p;

	for (p = model_wrong; p->name; p++) {
		char want[256], seen[256] = "not found";

		expectation("wrong", p->name, want, sizeof(want));
		for (unsigned int b = 0; b < BOUNDS; b++) {
			struct model_result r = model_enumerate(p, b, LIMIT);
			unsigned int kinds = 0, kind = MODEL_OK, i;

			EXPECT_FALSE(r.endless);
			EXPECT_LT(r.runs, LIMIT);
			for (i = MODEL_OK + 1; i < __MODEL_VERDICT_MAX; i++) {
				if (!r.ended[i])
					continue;
				kind = i;
				kinds++;
			}
			if (!kinds)
				continue;
			/* two ways to fail would leave the verdict to the search order */
			EXPECT_EQ(1u, kinds);
			snprintf(seen, sizeof(seen), "verdict=%s preemptions=%u",
				 model_verdict_name(kind), b);
			break;
		}
		TH_LOG("%s: %s", p->name, seen);
		EXPECT_STREQ(seen, want);
	}
}

/*
 * The enumeration itself, against numbers from a formula. Main has a steps after
 * its a points; the thread has b + 1, since it also goes from its start to its
 * first point. Neither blocks while it has any left, so without a limit on
 * preemptions there are C(a + b + 1, a) orders of the steps.
 */
static unsigned int own_points, other_points;

static void only_points(void *arg)
{
	(void)arg;
	/* the exit of the thread is one more */
	for (unsigned int i = 1; i < other_points; i++)
		model_point();
}

static void two_tasks(void)
{
	model_spawn(only_points, NULL, false);
	/* so is the end of the process, but there the run ends */
	for (unsigned int i = 0; i < own_points; i++)
		model_point();
	while (!model_is_dead(1))
		model_sleep(&tasks[1]);
}

static unsigned long long choose(unsigned int n, unsigned int k)
{
	unsigned long long c = 1;

	for (unsigned int i = 1; i <= k; i++)
		c = c * (n - k + i) / i;
	return c;
}

TEST(unlimited_preemptions_give_every_interleaving)
{
	static const struct model_program p = { "two_tasks", reset_correct, two_tasks };

	for (own_points = 1; own_points <= 5; own_points++)
		for (other_points = 1; other_points <= 5; other_points++)
			EXPECT_EQ(choose(own_points + other_points + 1, own_points),
				  model_enumerate(&p, 100, LIMIT).runs);
}

TEST(each_schedule_belongs_to_the_bound_of_its_preemptions)
{
	static const struct model_program p = { "two_tasks", reset_correct, two_tasks };
	uint64_t last = 0;

	own_points = 4;
	other_points = 4;
	for (unsigned int b = 0; b <= 9; b++) {
		uint64_t runs = model_enumerate(&p, b, LIMIT).runs;

		EXPECT_GE(runs, last);
		last = runs;
	}
	EXPECT_EQ(1u, model_enumerate(&p, 0, LIMIT).runs);
	/* one preemption: main can be left at each of its points */
	EXPECT_EQ(1u + 4, model_enumerate(&p, 1, LIMIT).runs);
	EXPECT_EQ(choose(9, 4), last);
}

static void spinner(void *arg)
{
	(void)arg;
	for (;;)
		model_yield();
}

static void spin(void)
{
	model_spawn(spinner, NULL, false);
	for (;;)
		model_yield();
}

TEST(endless_programs_are_noticed)
{
	static const struct model_program p = { "spin", reset_correct, spin };

	EXPECT_TRUE(model_enumerate(&p, 0, 1).endless);
}

TEST_HARNESS_MAIN
