// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which turns of several accesses in a loop that waits are left out within a bound: only those
 * without which the later ones are yields, too. A task makes accesses, and where it comes next it
 * is seen whether the turn before need not be taken.
 */
#include <string.h>

#include "internal.h"
#include "search/awaits.h"
#include "search/happens.h"
#include "../harness.h"

#define STEPS	64
#define ADDRESS	0x1000

FIXTURE(turns)
{
	struct chess_happens h;
	struct chess_await_points p;
	struct chess_step step[STEPS];
	uint32_t n;
};

FIXTURE_SETUP(turns)
{
	struct chess_record *r = chess_record_new();

	memset(self, 0, sizeof(*self));
	ASSERT_NE(NULL, (void *)r);
	chess_record_set_yield_await(r, true);
	self->h.record = r;
	self->h.step = self->step;
	self->h.bounded = true;
	chess_awaits_step(&self->h, &self->p, NULL, CHESS_NO_STEP);
}

FIXTURE_TEARDOWN(turns)
{
	chess_record_free((struct chess_record *)self->h.record);
}

/*
 * Accesses by the letters of their places; a capital one is a yield. Return: was the turn before
 * the last of them left out?
 */
static bool is_left_out(struct turns_fixture *self, const char *accesses)
{
	uint32_t turn = CHESS_NO_STEP;

	for (; *accesses; accesses++) {
		bool yields = *accesses < 'a';
		uint32_t place = yields ? *accesses - 'A' : *accesses - 'a';
		const struct chess_event e = {
			.type = CHESS_EVENT_POINT, .op = CHESS_OP_LOAD, .nr = 1 + place,
			.object_kind = CHESS_OBJECT_ADDRESS, .object = ADDRESS + 8 * place,
			.flags = CHESS_OPF_PROBE | (yields ? CHESS_OPF_YIELD : 0),
		};

		if (!chess_awaits_point(&self->h, &self->p, &e))
			return false;
		turn = self->p.turn;
		chess_awaits_step(&self->h, &self->p, &e, self->n++);
	}
	return turn != CHESS_NO_STEP;
}

TEST_F(turns, all_were_yields)
{
	EXPECT_FALSE(is_left_out(self, "abAB"));
	EXPECT_TRUE(is_left_out(self, "A"));
}

TEST_F(turns, an_access_is_never_a_yield)
{
	EXPECT_FALSE(is_left_out(self, "abAbA"));
	EXPECT_TRUE(is_left_out(self, "bA"));
}

TEST_F(turns, an_access_is_no_yield_yet)
{
	EXPECT_FALSE(is_left_out(self, "aAbA"));
	EXPECT_FALSE(is_left_out(self, "B"));
	EXPECT_TRUE(is_left_out(self, "A"));
}

/* The accesses to b before were in another loop, or in the same one when it was entered before. */
TEST_F(turns, turns_count_from_where_the_loop_was_entered)
{
	EXPECT_FALSE(is_left_out(self, "bBaAbA"));
	EXPECT_TRUE(is_left_out(self, "BAB"));
}

TEST_F(turns, a_loop_was_entered_again)
{
	EXPECT_TRUE(is_left_out(self, "abAbAbA"));
	EXPECT_FALSE(is_left_out(self, "aAbA"));
}

/* Of five places one is forgotten, so that a yield before may be none once more. */
TEST_F(turns, too_many_places_to_count)
{
	EXPECT_TRUE(is_left_out(self, "abcdABCDA"));
	EXPECT_FALSE(is_left_out(self, "abcdeABCDEA"));
}

TEST_F(turns, without_a_bound_the_first_one)
{
	self->h.bounded = false;
	EXPECT_TRUE(is_left_out(self, "abA"));
}

TEST_HARNESS_MAIN
