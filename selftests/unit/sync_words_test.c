// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves by which accesses of libraries tasks are put in order, and which of the program's
 * count as theirs, with a run of two tasks that is made up: T1 writes data and then lets a
 * lock of a library go, T2 gets the lock and reads the data.
 */
#include "harness.h"
#include "internal.h"
#include "race/racing.h"
#include "race/sync_words.h"

/* Sites below this one are the program's. */
#define LIBRARY	100

#define DATA	0x1000
#define LOCK	0x2000
#define OTHER	0x3000

#define R	CHESS_ACCESS_READ
#define W	CHESS_ACCESS_WRITE
#define ATOMIC	CHESS_ACCESS_ATOMIC

static struct chess_access at(uint16_t task, uint32_t site, uint64_t address, uint32_t size,
			      uint8_t kind)
{
	return (struct chess_access) {
		.task = task, .site = site, .ip = site, .address = address, .size = size,
		.kind = kind,
	};
}

static void push(struct chess_record *r, struct chess_event e)
{
	e.seq = chess_record_length(r) + 1;
	e.enabled = 7;
	ASSERT_EQ(0, chess_record_push(r, &e, 1));
}

/* T0 makes both and ends; @futex: and one calls futex(2) for that address */
static struct chess_record *record(uint64_t futex)
{
	struct chess_record *r = chess_record_new();
	int i;

	ASSERT_TRUE(r);
	for (i = 1; i <= 2; i++) {
		push(r, (struct chess_event) { .type = CHESS_EVENT_POINT, .op = CHESS_OP_CREATE });
		push(r, (struct chess_event) {
			.type = CHESS_EVENT_SPAWN, .object = i, .chosen = CHESS_TASK_NONE,
		});
	}
	push(r, (struct chess_event) { .type = CHESS_EVENT_EXIT, .chosen = 1 });
	if (futex)
		push(r, (struct chess_event) {
			.type = CHESS_EVENT_POINT, .task = 1, .chosen = 1,
			.op = CHESS_OP_FUTEX_WAKE, .object_kind = CHESS_OBJECT_ADDRESS,
			.object = futex,
		});
	return r;
}

static size_t races_of(struct chess_access *a, size_t n, uint64_t futex)
{
	struct chess_racing_types types = { 0 };
	struct chess_run_result run = {
		.record = record(futex), .accesses = a, .n_accesses = n,
		.first_sync_site = LIBRARY,
	};
	struct chess_run_races *races;
	size_t i;

	for (i = 0; i < n; i++)
		a[i].seq = chess_record_length(run.record);
	ASSERT_EQ(0, chess_run_races_find(&types, &run, &races));
	i = races->n_pairs;
	chess_run_races_free(races);
	chess_record_free(run.record);
	return i;
}

/* Let go by a plain store, got by a compare-and-exchange, both the library's. */
TEST(a_lock_of_a_library_orders)
{
	struct chess_access a[] = {
		at(1, LIBRARY, LOCK, 4, R | W | ATOMIC),
		at(1, 1, DATA, 8, W),
		at(1, LIBRARY + 1, LOCK, 4, W),
		at(2, LIBRARY, LOCK, 4, R | W | ATOMIC),
		at(2, 2, DATA, 8, R),
	};

	EXPECT_EQ(0UL, (unsigned long)races_of(a, 5, 0));
	/* the store goes somewhere else */
	a[2].address = OTHER;
	EXPECT_EQ(1UL, (unsigned long)races_of(a, 5, 0));
	/* T2 does not look at the lock */
	a[2].address = LOCK;
	a[3].address = OTHER;
	EXPECT_EQ(1UL, (unsigned long)races_of(a, 5, 0));
}

/* The fast path of a guard is inlined: one byte of the word, a plain load. */
TEST(the_program_may_look_at_such_a_word)
{
	struct chess_access a[] = {
		at(1, 1, DATA, 8, W),
		at(1, LIBRARY, LOCK, 4, R | W | ATOMIC),
		at(2, 2, LOCK, 1, R),
		at(2, 3, DATA, 8, R),
	};

	EXPECT_EQ(0UL, (unsigned long)races_of(a, 4, 0));
	/* the word after it is another one */
	a[2].address = LOCK + 4;
	EXPECT_EQ(1UL, (unsigned long)races_of(a, 4, 0));
}

/* A barrier's generation: stored and loaded by plain moves, waited for by futex(2). */
TEST(what_futex_was_called_for_is_such_a_word)
{
	struct chess_access a[] = {
		at(1, 1, DATA, 8, W),
		at(1, LIBRARY, LOCK, 4, W),
		at(2, LIBRARY + 1, LOCK, 4, R),
		at(2, 2, DATA, 8, R),
	};

	EXPECT_EQ(0UL, (unsigned long)races_of(a, 4, LOCK));
	EXPECT_EQ(1UL, (unsigned long)races_of(a, 4, 0));
	/* by the program itself: its moves are plain, and race, too */
	a[1].site = 10;
	a[2].site = 11;
	EXPECT_EQ(2UL, (unsigned long)races_of(a, 4, LOCK));
}

/* Nobody asked for the library's own races. */
TEST(other_accesses_of_libraries_are_nothing)
{
	struct chess_access a[] = {
		at(1, LIBRARY, DATA, 8, W),
		at(2, LIBRARY, DATA, 8, W),
		at(2, 2, DATA, 8, R),
	};

	EXPECT_EQ(0UL, (unsigned long)races_of(a, 3, 0));
	a[0].site = 1;
	EXPECT_EQ(1UL, (unsigned long)races_of(a, 3, 0));
}

/* Atomic instructions of libraries are not points of a search. */
TEST(libraries_have_no_points)
{
	struct chess_racing_types types = { 0 };
	struct chess_access a[] = {
		at(1, LIBRARY, LOCK, 4, R | W | ATOMIC),
		at(2, LIBRARY, LOCK, 4, R | W | ATOMIC),
		at(1, 5, DATA, 4, R | W | ATOMIC),
		at(2, 6, DATA, 4, R | W | ATOMIC),
	};
	struct chess_run_result run = {
		.record = record(0), .accesses = a, .n_accesses = 4, .first_sync_site = LIBRARY,
	};
	struct chess_run_races *races;
	size_t i;

	for (i = 0; i < 4; i++)
		a[i].seq = chess_record_length(run.record);
	ASSERT_EQ(0, chess_run_races_find(&types, &run, &races));
	EXPECT_EQ(0UL, (unsigned long)races->n_pairs);
	ASSERT_EQ(2UL, (unsigned long)races->n_sites);
	EXPECT_EQ(11U, races->site[0] + races->site[1]);
	chess_run_races_free(races);
	chess_record_free(run.record);
}

TEST_HARNESS_MAIN
