// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what a heap's free() is: a write of the piece that races like any other, what
 * realloc() makes of it, and which accesses are those of memory that is free.
 */
#include "race/freed.h"
#include "goldilocks.h"
#include "harness.h"
#include "internal.h"
#include "race/misuse.h"
#include "race/race.h"
#include "race_run.h"

#define PIECE	0x20000ULL
#define BYTES	104

enum { ALLOC = CHESS_ACCESS_ALLOCATED, FREE = CHESS_ACCESS_FRESH, RESIZE = FREE | ALLOC,
       READ = CHESS_ACCESS_READ, WRITE = CHESS_ACCESS_WRITE };

/* T1 and T2 are not in order; the accesses are put in by hand. */
static const struct run_program apart = { {
	{ { RUN_CREATE, 1, 0, 0 }, { RUN_CREATE, 2, 0, 0 } },
	{ { RUN_W, 0, 8, 0 } }, { { RUN_W, 0, 8, 0 } },
} };
static struct run r;

static struct chess_access by(unsigned int task, uint8_t kind, uint64_t address, uint32_t size,
			      uint64_t ip)
{
	/* After what the task did itself, so that it has begun. */
	return (struct chess_access) {
		.address = address, .ip = ip, .size = size, .task = task, .kind = kind,
		.seq = chess_record_length(r.record),
	};
}

static size_t races(struct chess_access *a, size_t n, bool locksets, struct chess_race *first)
{
	const struct chess_race_opts o = { .detector = locksets ? &chess_by_locksets : NULL };
	struct chess_races found;
	size_t count;

	ASSERT_EQ(0, chess_races_find(r.record, a, n, &o, &found));
	count = found.n;
	if (count)
		*first = found.v[0];
	free(found.v);
	return count;
}

/* By both detectors. */
static size_t both(struct chess_access *a, size_t n, struct chess_race *first)
{
	size_t count = races(a, n, true, first);

	EXPECT_EQ(count, races(a, n, false, first));
	return count;
}

static int misuse(struct chess_access *a, size_t n, struct chess_trace_race *out)
{
	static const struct chess_misuse_opts o;

	return chess_misuse_find(r.record, a, n, &o, out);
}

/* In either order; not what was handed out since, nor what is beside it. */
TEST(free_is_a_write)
{
	struct chess_access a[4];
	struct chess_race race;

	run_execute(&apart, 0, &r);
	a[0] = by(1, READ, PIECE + 96, 8, 1);
	a[1] = by(2, FREE, PIECE, BYTES, 2);
	ASSERT_EQ(1UL, (unsigned long)both(a, 2, &race));
	EXPECT_EQ(PIECE + 96, race.address);
	EXPECT_EQ(8U, race.size);
	a[2] = a[0];
	ASSERT_EQ(1UL, (unsigned long)both(a + 1, 2, &race));
	EXPECT_EQ(PIECE + 96, race.address);
	EXPECT_EQ(0UL, (unsigned long)race.first);
	a[0].address += 8;
	EXPECT_EQ(0UL, (unsigned long)both(a, 2, &race));
	a[2] = by(1, ALLOC, PIECE, BYTES, 3);
	a[3] = by(1, WRITE, PIECE, 8, 4);
	EXPECT_EQ(0UL, (unsigned long)both(a + 1, 3, &race));
	/* What maps memory, and has no ip, is not an access. */
	a[0] = by(1, READ, PIECE, 8, 1);
	a[1].ip = 0;
	EXPECT_EQ(0UL, (unsigned long)both(a, 2, &race));
	/* Its return address is that of another one's access. */
	a[1] = by(2, FREE, PIECE, BYTES, 1);
	a[2] = by(1, FREE, PIECE, BYTES, 1);
	EXPECT_EQ(2UL, (unsigned long)both(a, 3, &race));
	run_clear(&r);
}

/* More than there are words. */
TEST(a_large_piece_is_free_as_a_whole)
{
	struct chess_access a[3];
	struct chess_race race;

	run_execute(&apart, 0, &r);
	a[0] = by(1, READ, PIECE + (512 << 20), 8, 1);
	a[1] = by(2, FREE, PIECE, 1 << 30, 2);
	a[2] = by(1, WRITE, PIECE + (256 << 20), 8, 3);
	EXPECT_EQ(2UL, (unsigned long)both(a, 3, &race));
	run_clear(&r);
}

/* One row for each way in which realloc() may end. */
TEST(realloc_frees_what_it_moves)
{
	const struct {
		uint64_t address;
		uint32_t size;
		uint64_t start, bytes;		/* what is given back */
	} row[] = {
		{ 0, 0, 0, 0 },			/* failed */
		{ PIECE, 200, 0, 0 },		/* grew in its place */
		{ PIECE, BYTES, 0, 0 },
		{ PIECE, 40, PIECE + 40, BYTES - 40 },
		{ PIECE + 4096, 200, PIECE, BYTES },
	};
	struct chess_access a[3];
	size_t i;

	run_execute(&apart, 0, &r);
	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		a[0] = by(1, RESIZE, PIECE, BYTES, 7);
		/* Others do the same meanwhile, and it calls malloc(). */
		a[1] = by(2, ALLOC, 0, 0, 7);
		a[2] = by(1, ALLOC, row[i].address, row[i].size, 7);
		ASSERT_EQ(true, chess_freed_unresolved(a, 3));
		ASSERT_EQ(0, chess_freed_resolve(a, 3));
		EXPECT_EQ(row[i].bytes > 0, chess_is_free(&a[0]));
		if (!row[i].bytes)
			continue;
		EXPECT_EQ(row[i].start, (uint64_t)a[0].address);
		EXPECT_EQ(row[i].bytes, (uint64_t)a[0].size);
	}
	/* realloc(piece, 0), and one that the run ended in. */
	a[0] = by(1, RESIZE, PIECE, BYTES, 7);
	a[1] = by(1, FREE, PIECE, BYTES, 8);
	a[2] = by(2, RESIZE, PIECE, BYTES, 7);
	ASSERT_EQ(0, chess_freed_resolve(a, 3));
	EXPECT_FALSE(chess_is_free(&a[0]));
	EXPECT_TRUE(chess_is_free(&a[1]));
	EXPECT_FALSE(chess_is_free(&a[2]));
	run_clear(&r);
}

TEST(use_behind_free_is_misuse)
{
	struct chess_access a[5];
	struct chess_trace_race found;

	run_execute(&apart, 0, &r);
	a[0] = by(1, ALLOC, PIECE, BYTES, 1);
	a[1] = by(1, FREE, PIECE, BYTES, 2);
	a[2] = by(1, READ, PIECE + 8, 4, 3);
	ASSERT_EQ(1, misuse(a, 3, &found));
	EXPECT_EQ(2U, found.number[0]);
	EXPECT_EQ(3U, found.number[1]);
	EXPECT_EQ(1U, found.piece.allocated_number);
	EXPECT_EQ(PIECE + 8, (uint64_t)found.address);
	/* After its end, and across it by a function on strings. */
	a[2] = by(1, READ, PIECE + BYTES, 8, 3);
	EXPECT_EQ(0, misuse(a, 3, &found));
	a[2] = by(1, READ, PIECE + 96, 32, 3);
	EXPECT_EQ(0, misuse(a, 3, &found));
	a[2] = by(1, READ, PIECE - 8, 16, 3);
	EXPECT_EQ(0, misuse(a, 3, &found));
	/* Nobody saw it handed out, or the heap is not understood. */
	EXPECT_EQ(0, misuse(a + 1, 2, &found));
	a[2] = by(1, READ, PIECE, 8, 3);
	EXPECT_EQ(0, misuse(a + 1, 2, &found));
	a[3] = by(2, ALLOC, PIECE + 4096, 0, 1);
	EXPECT_EQ(0, misuse(a, 4, &found));
	/* Handed out again, of another size, or mapped. */
	a[2] = by(2, ALLOC, PIECE - 64, 128, 1);
	a[3] = by(2, WRITE, PIECE + 56, 8, 3);
	EXPECT_EQ(0, misuse(a, 4, &found));
	a[3].address = PIECE + 64;
	EXPECT_EQ(1, misuse(a, 4, &found));
	a[2] = by(2, FREE, PIECE & ~4095ULL, 4096, 0);
	EXPECT_EQ(0, misuse(a, 4, &found));
	run_clear(&r);
}

TEST(to_free_twice_is_misuse)
{
	const struct chess_misuse_opts itself = { .calls_itself = true };
	struct chess_access a[4];
	struct chess_trace_race found;

	run_execute(&apart, 0, &r);
	a[0] = by(1, ALLOC, PIECE, BYTES, 1);
	a[1] = by(1, FREE, PIECE, BYTES, 2);
	a[2] = by(2, FREE, PIECE, BYTES, 3);
	ASSERT_EQ(1, misuse(a, 3, &found));
	EXPECT_EQ(2U, found.number[0]);
	EXPECT_EQ(3U, found.number[1]);
	/* A thread that ends does so in a program that is linked statically. */
	EXPECT_EQ(0, chess_misuse_find(r.record, a, 3, &itself, &found));
	a[3] = by(2, READ, PIECE + 4096, 8, 4);
	EXPECT_EQ(1, chess_misuse_find(r.record, a, 4, &itself, &found));
	/* A signal came before the first instruction of free(), which was done again. */
	a[2] = by(1, ALLOC, PIECE, BYTES, 2);
	a[3] = by(1, FREE, PIECE, BYTES, 2);
	EXPECT_EQ(0, misuse(a, 4, &found));
	run_clear(&r);
}

/* Pages that are taken away race with their use, and do so twice; a signal tells the rest. */
TEST(to_unmap_is_a_write_and_no_misuse)
{
	struct chess_access a[4];
	struct chess_trace_race found;
	struct chess_race race;

	run_execute(&apart, 0, &r);
	a[0] = by(1, READ, PIECE + 4096, 8, 1);
	a[1] = by(2, FREE | WRITE, PIECE, 8192, 2);
	ASSERT_EQ(1UL, (unsigned long)both(a, 2, &race));
	EXPECT_EQ(PIECE + 4096, race.address);
	a[2] = a[0];
	EXPECT_EQ(1UL, (unsigned long)both(a + 1, 2, &race));
	EXPECT_EQ(0, misuse(a, 3, &found));
	a[2] = a[1];
	EXPECT_EQ(0, misuse(a + 1, 2, &found));
	/* Nor is a piece of a heap in there free any more. */
	a[0] = by(1, ALLOC, PIECE, BYTES, 3);
	a[2] = a[1];
	a[1] = by(1, FREE, PIECE, BYTES, 3);
	a[3] = by(1, READ, PIECE, 8, 1);
	EXPECT_EQ(0, misuse(a, 4, &found));
	a[2] = a[3];
	EXPECT_EQ(1, misuse(a, 3, &found));
	run_clear(&r);
}

/* What is free is the heap's own to use. */
TEST(the_heap_may_use_what_is_free)
{
	const struct chess_misuse_opts o = { .heap_first = 5, .heap_end = 9 };
	struct chess_access a[3];
	struct chess_trace_race found;
	unsigned int site;

	run_execute(&apart, 0, &r);
	a[0] = by(1, ALLOC, PIECE, BYTES, 1);
	a[1] = by(1, FREE, PIECE, BYTES, 2);
	a[2] = by(1, WRITE, PIECE, 8, 3);
	for (site = 4; site < 10; site++) {
		a[2].site = site;
		EXPECT_EQ(site < 5 || site > 8, chess_misuse_find(r.record, a, 3, &o, &found));
	}
	run_clear(&r);
}

TEST_HARNESS_MAIN
