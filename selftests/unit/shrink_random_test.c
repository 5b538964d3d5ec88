// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shrinks random failing schedules of random programs, and holds what comes out against
 * the smallest failing schedule, which an enumeration of all of them knows.
 */
#include <string.h>

#include "shrink_model.h"
#include "../harness.h"

static uint64_t seed;

static unsigned int pick(unsigned int n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % n;
}

static void random_cond(const struct model *m, struct cond *c)
{
	int task = pick(m->tasks), other = (task + 1 + pick(m->tasks - 1)) % m->tasks;

	*c = (struct cond){ task, 1 + pick(m->steps[task]), other, pick(m->steps[other] + 1) };
}

static void random_model(struct model *m)
{
	int t, b, c;

	memset(m, 0, sizeof(*m));
	m->tasks = 2 + pick(2);
	for (t = 0; t < m->tasks; t++) {
		m->steps[t] = 1 + pick(4);
		m->yields[t] = pick(3) ? 0 : 1U << pick(4);
	}
	m->alike = !pick(4);
	for (b = 0; b < BUGS; b++) {
		m->conds[b] = b ? pick(3) : 1 + pick(3);
		for (c = 0; c < m->conds[b]; c++)
			random_cond(m, &m->bug[b][c]);
	}
}

/* A run in which any enabled task goes on at each decision, or NULL: no bug in sight. */
static struct chess_record *random_failure(const struct model *m, int *bug)
{
	int try;

	for (try = 0; try < 100; try++) {
		struct chess_record *r = model_new_record(m);
		struct state s = { 0 };
		int type, chosen = 0;

		while ((type = model_advance(m, &s)) && chosen >= 0) {
			chosen = model_policy(m, &s, type);
			while (chosen >= 0 && pick(2)) {
				int t = pick(m->tasks);

				if (!s.ended[t] && (t != s.cur || !model_is_yield(m, &s, type)))
					chosen = t;
			}
			model_note(r, m, &s, type, chosen);
			if (chosen >= 0)
				s.cur = chosen;
		}
		*bug = m->alike ? 1 : s.bug;
		if (!type)
			return r;
		chess_record_free(r);
	}
	return NULL;
}

/*
 * 1000 programs nobody thought of; most random schedules of them fail with needless
 * preemptions, and the enumeration knows the smallest one.
 */
TEST(random_programs_shrink_to_what_enumeration_finds)
{
	int tried, failing = 0, dropped = 0, minimal = 0, bug;

	for (tried = 0; tried < 1000; tried++) {
		struct chess_shrink_size want;
		struct chess_shrink_result res;
		struct chess_record *r;
		struct model m;
		struct box b = { .m = &m };

		seed = tried;
		random_model(&m);
		r = random_failure(&m, &bug);
		if (!r)
			continue;
		failing++;
		ASSERT_EQ(0, model_shrink(&b, r, 0, &res));
		expect_sound(&m, &res, bug);
		want = model_smallest(&m, bug, res.before.preemptions);
		expect_size(want.preemptions, want.switches, want.points, &res.after);
		EXPECT_EQ(want.choices, res.after.choices);
		EXPECT_TRUE(res.fewest && res.smallest && res.one_minimal);
		dropped += want.preemptions < res.before.preemptions;
		chess_shrink_result_clear(&res);

		/* With few runs there is no proof, and what is said is true still. */
		ASSERT_EQ(0, model_shrink(&b, r, 5 + pick(40), &res));
		expect_sound(&m, &res, bug);
		expect_one_minimal(&m, &res, bug);
		minimal += res.one_minimal && !res.smallest;
		if (res.fewest)
			EXPECT_EQ(want.preemptions, res.after.preemptions);
		chess_shrink_result_clear(&res);
		chess_record_free(r);
		if (harness_result)
			TH_LOG("seed %d", tried);
	}
	/* The generator must not have run dry. */
	EXPECT_LT(500, failing);
	EXPECT_LT(150, dropped);
	EXPECT_LT(50, minimal);
}

TEST_HARNESS_MAIN
