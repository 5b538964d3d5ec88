// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that a call of gmtime() or its like is taken for a write of all that is read of the
 * library, and that nothing is left out in silence when there is more than is kept.
 */
#include <stdlib.h>

#include "harness.h"
#include "internal.h"
#include "code/wrappers.h"
#include "race/returned.h"

/* returned.c takes so many variables, and so many writes: 4096 calls that write each. */
#define VARIABLES	256
#define CALLS		4096
#define HERE		0x1000

FIXTURE(returned) {
	struct chess_run_result run;
	struct chess_access *all;
	size_t n;
	uint64_t dropped;
};

FIXTURE_SETUP(returned)
{
	self->run.record = chess_record_new();
	ASSERT_TRUE(self->run.record);
}

FIXTURE_TEARDOWN(returned)
{
	chess_record_free(self->run.record);
	free(self->run.accesses);
	free(self->all);
}

/* T1 calls gmtime() so often, and then T0 reads so many variables. */
static void happens(struct returned_fixture *self, size_t calls, size_t variables)
{
	struct chess_event e = {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_OTHER, .task = 1, .chosen = 1,
		.enabled = 3, .flags = CHESS_OPF_PROBE,
		.nr = chess_wrapper_id(chess_wrapper_by_symbol("gmtime")),
	};
	size_t i;

	for (i = 0; i < calls; i++) {
		e.seq = i + 1;
		ASSERT_EQ(0, chess_record_push(self->run.record, &e, 1));
	}
	self->run.accesses = calloc(variables, sizeof(*self->run.accesses));
	ASSERT_TRUE(self->run.accesses);
	self->run.n_accesses = variables;
	for (i = 0; i < variables; i++)
		self->run.accesses[i] = (struct chess_access){
			.seq = calls, .address = HERE + 8 * i, .size = 4, .site = 1,
			.kind = CHESS_ACCESS_READ,
		};
}

static enum chess_returned_use all_read(void *arg, const struct chess_access *a, uint8_t *kind)
{
	(void)arg;
	*kind = a->kind;
	return CHESS_RETURNED_READ;
}

static void found(struct returned_fixture *self, size_t accesses, uint64_t dropped)
{
	ASSERT_EQ(0, chess_returned_find(&self->run, all_read, NULL, &self->all, &self->n,
					 &self->dropped));
	EXPECT_EQ(accesses, self->n);
	EXPECT_EQ(dropped, self->dropped);
}

TEST_F(returned, a_call_writes_each_variable)
{
	happens(self, 1, 2);
	found(self, 2 + 2, 0);
	EXPECT_TRUE(self->all[0].kind == CHESS_ACCESS_WRITE);
	EXPECT_TRUE(self->all[0].task == 1);
	EXPECT_TRUE(!self->all[0].site);
	EXPECT_TRUE(self->all[0].address == HERE);
	EXPECT_TRUE(self->all[1].address == HERE + 8);
	EXPECT_TRUE(self->all[2].kind == CHESS_ACCESS_READ);
}

TEST_F(returned, nobody_calls)
{
	happens(self, 0, 2);
	found(self, 0, 0);
}

TEST_F(returned, all_that_is_kept)
{
	happens(self, CALLS, VARIABLES);
	found(self, CALLS * VARIABLES + VARIABLES, 0);
}

TEST_F(returned, a_call_too_many_is_counted)
{
	happens(self, CALLS + 3, VARIABLES);
	found(self, CALLS * VARIABLES + VARIABLES, 3);
}

TEST_F(returned, a_variable_too_many_is_counted)
{
	happens(self, 1, VARIABLES + 2);
	found(self, VARIABLES + VARIABLES + 2, 2);
}

TEST_HARNESS_MAIN
