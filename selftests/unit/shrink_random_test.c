// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shrinks random failing schedules of random programs, and holds what comes out against
 * the smallest failing schedule, which an enumeration of all of them knows.
 */
#include <string.h>

#include "planted_bug.h"
#include "../harness.h"

static uint64_t seed;

static unsigned int pick(unsigned int n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % n;
}

static void random_cond(const struct planted *p, struct cond *c)
{
	int task = pick(p->tasks), other = (task + 1 + pick(p->tasks - 1)) % p->tasks;

	*c = (struct cond){ task, 1 + pick(p->steps[task]), other, pick(p->steps[other] + 1) };
}

static void random_planted(struct planted *p)
{
	int t, b, c;

	memset(p, 0, sizeof(*p));
	p->tasks = 2 + pick(2);
	for (t = 0; t < p->tasks; t++) {
		p->steps[t] = 1 + pick(4);
		p->yields[t] = pick(3) ? 0 : 1U << pick(4);
	}
	p->alike = !pick(4);
	for (b = 0; b < BUGS; b++) {
		p->conds[b] = b ? pick(3) : 1 + pick(3);
		for (c = 0; c < p->conds[b]; c++)
			random_cond(p, &p->bug[b][c]);
	}
}

/* Whom to take at decision number @n of @r; -1: the run is over before. */
static int random_choice(const struct planted *p, const struct chess_record *r, size_t n)
{
	const struct chess_event *e = NULL;
	int chosen, t;
	size_t i;

	for (i = 0; i < chess_record_length(r); i++) {
		e = chess_record_event(r, i);
		if (CHESS_EVENT_IS_DECISION(e->type) && !n--)
			break;
	}
	if (i == chess_record_length(r) || e->chosen == CHESS_TASK_NONE)
		return -1;
	chosen = planted_default(p, e);
	while (pick(2)) {
		t = pick(p->tasks);
		if (e->enabled >> t & 1 && (t != e->task || !(e->flags & CHESS_OPF_YIELD)))
			chosen = t;
	}
	return chosen;
}

/* A run in which any enabled task goes on at each decision, or NULL: no bug in sight. */
static struct chess_record *random_failure(const struct planted *p, int *bug)
{
	int try, chosen;

	for (try = 0; try < 100; try++) {
		struct chess_schedule *s = chess_schedule_new();
		struct chess_run_result res = planted_run(p, s);
		struct chess_record *r = res.record;

		while ((chosen = random_choice(p, r, chess_schedule_length(s))) >= 0) {
			ASSERT_EQ(0, chess_schedule_push(s, chosen));
			chess_run_result_clear(&res);
			res = planted_run(p, s);
			r = res.record;
		}
		chess_schedule_free(s);
		*bug = planted_bug_of(&res);
		if (*bug)
			res.record = NULL;
		chess_run_result_clear(&res);
		if (*bug)
			return r;
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
		struct planted p;
		struct box b = { .p = &p };

		seed = tried;
		random_planted(&p);
		r = random_failure(&p, &bug);
		if (!r)
			continue;
		failing++;
		ASSERT_EQ(0, planted_shrink(&b, r, 0, &res));
		expect_sound(&p, &res, bug);
		want = planted_smallest(&p, bug, res.before.preemptions);
		expect_size(want.preemptions, want.switches, want.points, &res.after);
		EXPECT_EQ(want.choices, res.after.choices);
		EXPECT_TRUE(res.fewest && res.smallest && res.one_minimal);
		dropped += want.preemptions < res.before.preemptions;
		chess_shrink_result_clear(&res);

		/* With few runs there is no proof, and what is said is true still. */
		ASSERT_EQ(0, planted_shrink(&b, r, 5 + pick(40), &res));
		expect_sound(&p, &res, bug);
		expect_one_minimal(&p, &res, bug);
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
