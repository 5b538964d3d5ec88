// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves when two records count as one run whose files lie elsewhere: addresses, inodes and
 * keys may have other names, one for one; code has its place in its file; and the loader may
 * take as many calls as it needs. All else has to be equal.
 */
#include "harness.h"
#include "internal.h"

#define MAPS_A	"555555554000-555555555000 r-xp 00001000 00:00 1 /a/prog\n" \
		"7ffff7000000-7ffff7100000 r-xp 00002000 00:00 2 /lib/libc.so.6\n" \
		"7ffff7200000-7ffff7300000 r-xp 00000000 00:00 3 /lib/ld-linux-x86-64.so.2\n"
/* The C library is a copy, lower by 0x31000; the program has another name. */
#define MAPS_B	"2aaa00000000-2aaa00100000 r-xp 00000000 00:00 3 /lib/ld-linux-x86-64.so.2\n" \
		"555555554000-555555555000 r-xp 00001000 00:00 1 /b/renamed\n" \
		"7ffff6fcf000-7ffff70cf000 r-xp 00002000 00:00 4 /copy/libc.so.6\n"
#define LIBC_A		0x7ffff7000000ULL
#define LIBC_B		0x7ffff6fcf000ULL
#define LOADER_A	0x7ffff7200100ULL
#define LOADER_B	0x2aaa00000100ULL

/* A lock of @object called from the program, in the C library. */
static struct chess_event lock_at(uint64_t libc, uint64_t object, uint16_t chosen)
{
	return (struct chess_event) {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_LOCK, .chosen = chosen, .nr = 1,
		.flags = CHESS_OPF_PROBE, .object_kind = CHESS_OBJECT_ADDRESS,
		.object = object, .ip = libc + 0x70, .caller = 0x555555554010, .enabled = 3,
	};
}

static struct chess_event call_at(uint64_t ip, uint32_t nr, int64_t result)
{
	return (struct chess_event) {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_OPEN, .nr = nr, .ip = ip,
		.result = result,
		.enabled = 1,
	};
}

static const struct chess_event began = { .type = CHESS_EVENT_EXEC, .chosen = CHESS_TASK_NONE };
static const struct chess_event made = { .type = CHESS_EVENT_SPAWN, .chosen = CHESS_TASK_NONE,
					 .object_kind = CHESS_OBJECT_TASK, .object = 1 };

static struct chess_record *record_of(const struct chess_event *e, size_t n)
{
	struct chess_record *r = chess_record_new();
	size_t i;

	for (i = 0; r && i < n; i++) {
		struct chess_event one = e[i];

		one.seq = i + 1;
		if (chess_record_push(r, &one, 1))
			return NULL;
	}
	return r;
}

/* Where they differ in terms of a; -1: they do not. */
static long first_difference(const struct chess_event *a, size_t n, const struct chess_event *b,
			     size_t m, const char *maps_a, const char *maps_b)
{
	struct chess_record *ra = record_of(a, n), *rb = record_of(b, m);
	struct chess_moved *moved = chess_moved_new(ra, maps_a, rb, maps_b);
	size_t at_a, at_b;
	bool same = chess_moved_same(moved, &at_a, &at_b);

	chess_moved_free(moved);
	chess_record_free(ra);
	chess_record_free(rb);
	return same ? -1 : (long)at_a;
}

#define DIFFERENCE(a, b)	first_difference(a, ARRAY_SIZE(a), b, ARRAY_SIZE(b), MAPS_A, MAPS_B)

TEST(moved_library_and_mappings_are_the_same)
{
	struct chess_event a[] = { began, lock_at(LIBC_A, 0x7ffff0000040, 0), made,
				   lock_at(LIBC_A, 0x555555558000, 1),
				   lock_at(LIBC_A, 0x7ffff0000040, 0) };
	struct chess_event b[] = { began, lock_at(LIBC_B, 0x7fffefff0048, 0), made,
				   lock_at(LIBC_B, 0x555555558000, 1),
				   lock_at(LIBC_B, 0x7fffefff0048, 0) };

	EXPECT_EQ(-1L, DIFFERENCE(a, b));
	/* One object of a cannot be two of b, nor two of a one of b. */
	b[4].object += 64;
	EXPECT_EQ(4L, DIFFERENCE(a, b));
	EXPECT_EQ(4L, first_difference(b, 5, a, 5, MAPS_B, MAPS_A));
	/* A known place is not another one. */
	b[4] = lock_at(LIBC_B + 0x1000, 0x7fffefff0048, 0);
	EXPECT_EQ(4L, DIFFERENCE(a, b));
	/* Who went on is never a matter of names. */
	b[4] = lock_at(LIBC_B, 0x7fffefff0048, 1);
	EXPECT_EQ(4L, DIFFERENCE(a, b));
	EXPECT_EQ(3L, first_difference(a, 5, b, 3, MAPS_A, MAPS_B));
}

/* The loader unmaps its list of libraries, and a mapping of the program may take the place. */
TEST(memory_where_the_loader_had_its_cache_is_moved)
{
	static const char cache_a[] = MAPS_A
		"7ffff7150000-7ffff7161000 r--p 00000000 00:00 5 /etc/ld.so.cache\n";
	static const char cache_b[] = MAPS_B
		"7ffff711f000-7ffff7161000 r--p 00000000 00:00 5 /etc/ld.so.cache\n";
	struct chess_event a[] = { began, lock_at(LIBC_A, 0x7ffff7151000, 0) };
	struct chess_event b[] = { began, lock_at(LIBC_B, 0x7ffff7151000, 0) };

	EXPECT_EQ(-1L, first_difference(a, 2, b, 2, cache_a, cache_b));
	/* In a library that stays the place is fixed. */
	a[1].object = LIBC_A + 0x8;
	b[1].object = LIBC_B + 0x10;
	EXPECT_EQ(1L, first_difference(a, 2, b, 2, cache_a, cache_b));
}

TEST(without_maps_pages_are_moved)
{
	struct chess_event a[] = { began, lock_at(LIBC_A, 0x1000000, 0) };
	struct chess_event b[] = { began, lock_at(LIBC_B, 0x1000000, 0) };

	EXPECT_EQ(-1L, first_difference(a, 2, b, 2, NULL, NULL));
	b[1].ip++;
	EXPECT_EQ(1L, first_difference(a, 2, b, 2, NULL, NULL));
}

TEST(results_have_to_be_equal)
{
	struct chess_event a[] = { began, call_at(LIBC_A, 257, 3), call_at(LIBC_A, 0, 100000) };
	struct chess_event b[] = { began, call_at(LIBC_B, 257, 3), call_at(LIBC_B, 0, 100000) };

	EXPECT_EQ(-1L, DIFFERENCE(a, b));
	b[2].result += 4096;
	EXPECT_EQ(2L, DIFFERENCE(a, b));
	/* Those of mmap are addresses. */
	a[2].nr = b[2].nr = 9;
	EXPECT_EQ(-1L, DIFFERENCE(a, b));
	b[2].result = -12;
	EXPECT_EQ(2L, DIFFERENCE(a, b));
}

TEST(inodes_are_renamed_one_for_one)
{
	struct chess_event a[] = { call_at(LIBC_A, 0, 1), call_at(LIBC_A, 0, 1) };
	struct chess_event b[] = { call_at(LIBC_B, 0, 1), call_at(LIBC_B, 0, 1) };
	int i;

	for (i = 0; i < 2; i++) {
		a[i].object_kind = b[i].object_kind = CHESS_OBJECT_INODE;
		a[i].object = i + 1;
		b[i].object = i + 4;
	}
	EXPECT_EQ(-1L, DIFFERENCE(a, b));
	b[1].object = 4;
	EXPECT_EQ(1L, DIFFERENCE(a, b));
	a[1].object_kind = b[1].object_kind = CHESS_OBJECT_FD;
	EXPECT_EQ(1L, DIFFERENCE(a, b));
}

/* The digest of other results counts where nothing moved, and only there. */
TEST(digest_counts_where_all_is_in_its_place)
{
	struct chess_event a[] = { began, call_at(LIBC_A, 257, 3),
				   { .type = CHESS_EVENT_EXIT, .chosen = CHESS_TASK_NONE,
				     .arg = 7 } };
	struct chess_event b[3];

	memcpy(b, a, sizeof(b));
	b[2].arg = 8;
	EXPECT_EQ(2L, first_difference(a, 3, b, 3, MAPS_A, MAPS_A));
	b[1].ip = LIBC_B;
	EXPECT_EQ(-1L, DIFFERENCE(a, b));
}

static char *fitted(const struct chess_event *a, size_t n, const struct chess_event *b, size_t m)
{
	struct chess_record *ra = record_of(a, n), *rb = record_of(b, m);
	struct chess_moved *moved = chess_moved_new(ra, MAPS_A, rb, MAPS_B);
	struct chess_schedule *s = chess_moved_schedule(moved);
	char *text = chess_schedule_encode(s);

	chess_schedule_free(s);
	chess_moved_free(moved);
	chess_record_free(ra);
	chess_record_free(rb);
	return text;
}

TEST(loader_takes_as_many_calls_as_it_needs)
{
	struct chess_event few[] = { began, call_at(LOADER_A, 21, -2), call_at(LOADER_A, 257, 3),
				     lock_at(LIBC_A, 0x1000000, 0), made,
				     lock_at(LIBC_A, 0x1000000, 1) };
	struct chess_event many[] = { began, call_at(LOADER_B, 21, -2), call_at(LOADER_B, 257, -2),
				      call_at(LOADER_B, 257, -2), call_at(LOADER_B, 257, 3),
				      lock_at(LIBC_B, 0x1000000, 0), made,
				      lock_at(LIBC_B, 0x1000000, 1) };

	EXPECT_EQ(-1L, DIFFERENCE(few, many));
	EXPECT_EQ(-1L, first_difference(many, 8, few, 6, MAPS_B, MAPS_A));
	EXPECT_STREQ("T0*5 T1", fitted(few, 6, many, 8));
	/* What is opened later on, as plug-ins are, is the program's. */
	few[5] = call_at(LOADER_A, 257, 3);
	many[7] = call_at(LOADER_B, 257, -2);
	EXPECT_EQ(5L, DIFFERENCE(few, many));
}

TEST(fewer_calls_of_the_loader_leave_decisions_out)
{
	struct chess_event many[] = { began, call_at(LOADER_A, 21, -2), call_at(LOADER_A, 257, -2),
				      call_at(LOADER_A, 257, 3), lock_at(LIBC_A, 0x1000000, 0),
				      made, lock_at(LIBC_A, 0x1000000, 1) };
	struct chess_event few[] = { began, call_at(LOADER_B, 257, 3),
				     lock_at(LIBC_B, 0x1000000, 0), made,
				     lock_at(LIBC_B, 0x1000000, 1) };

	EXPECT_STREQ("T0*2 T1", fitted(many, 7, few, 5));
}

TEST(accesses_are_told_as_the_trace_has_them)
{
	struct chess_event a[] = { began, lock_at(LIBC_A, 0x7ffff0000040, 0) };
	struct chess_event b[] = { began, call_at(LOADER_B, 257, 3),
				   lock_at(LIBC_B, 0x7fffefff0048, 0) };
	struct chess_record *ra = record_of(a, 2), *rb = record_of(b, 3);
	struct chess_moved *moved = chess_moved_new(ra, MAPS_A, rb, MAPS_B);
	struct chess_access access = { .ip = LIBC_B + 0x500, .address = 0x7fffefff0048, .seq = 3 };

	chess_moved_access(moved, &access);
	EXPECT_EQ(LIBC_A + 0x500, (uint64_t)access.ip);
	EXPECT_EQ(0x7ffff0000040ULL, (uint64_t)access.address);
	EXPECT_EQ(2U, access.seq);
	chess_moved_free(moved);
	chess_record_free(ra);
	chess_record_free(rb);
}

TEST_HARNESS_MAIN
