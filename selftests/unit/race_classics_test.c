// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that on well-known racy programs the pairs of instructions that are reported are
 * exactly those derived by hand, along each of 200 schedules, and that none is reported
 * on the same programs mended.
 */
#include "harness.h"
#include "internal.h"
#include "race_run.h"

/* Variables, and instructions, which are numbers. */
enum { A = 0, B = 8, C = 16, FLAG = 24, DATA = 32 };

#define R(x, ip)	{ RUN_R, x, 4, ip }
#define W(x, ip)	{ RUN_W, x, 4, ip }
#define AR(x, ip)	{ RUN_AR, x, 4, ip }
#define AW(x, ip)	{ RUN_AW, x, 4, ip }
#define ARW(x, ip)	{ RUN_ARW, x, 4, ip }
#define LOCK(m)		{ RUN_LOCK, m, 0, 0 }
#define UNLOCK(m)	{ RUN_UNLOCK, m, 0, 0 }
#define YIELD		{ RUN_YIELD, 0, 0, 0 }
#define ALL(n)		{ RUN_CREATE, n, 0, 0 }
#define T0_TWO		{ ALL(1), ALL(2) }
#define T0_THREE	{ ALL(1), ALL(2), ALL(3) }

struct classic {
	const char *name;
	struct run_program program;
	unsigned int pair[8][2];	/* the lower one first; 0 ends them */
};

static const struct classic classics[] = {
	/* counter++ as load 1 and store 2, by both: a load and a store, two stores */
	{ "lost update",
	  { { T0_TWO, { R(A, 1), YIELD, W(A, 2) }, { R(A, 1), YIELD, W(A, 2) } } },
	  { { 1, 2 }, { 2, 2 } } },
	{ "lost update, mended",
	  { { T0_TWO, { LOCK(0), R(A, 1), YIELD, W(A, 2), UNLOCK(0) },
	      { LOCK(0), R(A, 1), YIELD, W(A, 2), UNLOCK(0) } } }, { { 0 } } },
	{ "lost update, mended by an atomic add",
	  { { T0_TWO, { ARW(A, 1) }, { ARW(A, 1) } } }, { { 0 } } },
	/* SCTBench reorder: setters store 1 to a, 2 to b; the checker loads a by 3, b by 4 */
	{ "reorder_3",
	  { { T0_THREE, { W(A, 1), YIELD, W(B, 2) }, { W(A, 1), YIELD, W(B, 2) },
	      { R(A, 3), YIELD, R(B, 4) } } },
	  { { 1, 1 }, { 2, 2 }, { 1, 3 }, { 2, 4 } } },
	/* SCTBench wronglock: one of three takes another lock; the others are in order */
	{ "wronglock",
	  { { T0_THREE, { LOCK(0), R(DATA, 1), YIELD, W(DATA, 2), UNLOCK(0) },
	      { LOCK(1), R(DATA, 3), YIELD, W(DATA, 4), UNLOCK(1) },
	      { LOCK(1), R(DATA, 3), YIELD, W(DATA, 4), UNLOCK(1) } } },
	  { { 1, 4 }, { 2, 3 }, { 2, 4 } } },
	/* Dekker's entry: each sets its flag and looks at the other's; the one inside writes 5 */
	{ "Dekker without its turn",
	  { { T0_TWO, { W(A, 1), YIELD, R(B, 2), W(DATA, 5) },
	      { W(B, 3), YIELD, R(A, 4), W(DATA, 5) } } },
	  { { 1, 4 }, { 2, 3 }, { 5, 5 } } },
	/* flag and data by plain moves: no schedule orders anything */
	{ "publication by a plain flag",
	  { { T0_TWO, { W(DATA, 1), YIELD, W(FLAG, 2) }, { R(FLAG, 3), YIELD, R(DATA, 4) } } },
	  { { 1, 4 }, { 2, 3 } } },
	/* a lock for each half; the reader has none for the second (SCTBench twostage) */
	{ "two stages",
	  { { T0_TWO,
	      { LOCK(0), W(A, 1), UNLOCK(0), LOCK(1), W(B, 2), UNLOCK(1) },
	      { LOCK(0), R(A, 3), UNLOCK(0), R(B, 4) } } }, { { 2, 4 } } },
	/* write under the read lock: two writers by 2, and 2 with the reader's 1 */
	{ "write under a read lock",
	  { { T0_THREE,
	      { { RUN_RDLOCK, 0, 0, 0 }, R(A, 1), YIELD, { RUN_RWUNLOCK, 0, 0, 0 } },
	      { { RUN_RDLOCK, 0, 0, 0 }, W(A, 2), YIELD, { RUN_RWUNLOCK, 0, 0, 0 } },
	      { { RUN_RDLOCK, 0, 0, 0 }, W(A, 2), YIELD, { RUN_RWUNLOCK, 0, 0, 0 } } } },
	  { { 1, 2 }, { 2, 2 } } },
	{ "write under a write lock",
	  { { T0_THREE,
	      { { RUN_RDLOCK, 0, 0, 0 }, R(A, 1), YIELD, { RUN_RWUNLOCK, 0, 0, 0 } },
	      { { RUN_WRLOCK, 0, 0, 0 }, W(A, 2), YIELD, { RUN_RWUNLOCK, 0, 0, 0 } },
	      { { RUN_WRLOCK, 0, 0, 0 }, W(A, 2), YIELD, { RUN_RWUNLOCK, 0, 0, 0 } } } },
	  { { 0 } } },
	/* parts of one word: the byte 3 of the first is the first of the second */
	{ "neighbours that overlap",
	  { { T0_TWO, { { RUN_W, A, 4, 1 }, { RUN_W, A + 4, 2, 2 } },
	      { { RUN_W, A + 3, 1, 3 }, { RUN_W, A + 6, 2, 4 } } } }, { { 1, 3 } } },
	/* bit fields of one byte, each under its own lock */
	{ "two locks for one byte",
	  { { T0_TWO, { LOCK(0), { RUN_RW, A, 1, 1 }, UNLOCK(0) },
	      { LOCK(1), { RUN_RW, A, 1, 2 }, UNLOCK(1) } } }, { { 1, 2 } } },
	/* each fills its own, all meet, each reads the neighbour's */
	{ "phases with a barrier",
	  { { T0_THREE, { W(A, 1), { RUN_BARRIER, 0, 3, 0 }, R(B, 4) },
	      { W(B, 2), { RUN_BARRIER, 0, 3, 0 }, R(C, 5) },
	      { W(C, 3), { RUN_BARRIER, 0, 3, 0 }, R(A, 6) } } }, { { 0 } } },
	/* and goes on to fill its own again without meeting once more */
	{ "phases with a barrier too few",
	  { { T0_THREE, { W(A, 1), { RUN_BARRIER, 0, 3, 0 }, R(B, 4), W(A, 7) },
	      { W(B, 2), { RUN_BARRIER, 0, 3, 0 }, R(C, 5), W(B, 8) },
	      { W(C, 3), { RUN_BARRIER, 0, 3, 0 }, R(A, 6), W(C, 9) } } },
	  { { 4, 8 }, { 5, 9 }, { 6, 7 } } },
};

static bool is_expected(const struct classic *c, uint64_t a, uint64_t b)
{
	size_t i;

	for (i = 0; c->pair[i][0]; i++)
		if (c->pair[i][0] == (a < b ? a : b) && c->pair[i][1] == (a < b ? b : a))
			return true;
	return false;
}

static size_t expected(const struct classic *c)
{
	size_t n = 0;

	while (c->pair[n][0])
		n++;
	return n;
}

TEST(pairs_are_those_derived_by_hand)
{
	struct chess_races races;
	static struct run r;
	uint64_t seed;
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(classics); i++) {
		const struct classic *c = &classics[i];

		for (seed = 0; seed < 200; seed++) {
			run_execute(&c->program, seed, &r);
			ASSERT_EQ(0, chess_races_find(r.record, r.access, r.n, NULL, &races));
			for (k = 0; k < races.n; k++) {
				uint64_t a = r.access[races.v[k].first].ip;
				uint64_t b = r.access[races.v[k].second].ip;

				if (is_expected(c, a, b))
					continue;
				TH_LOG("%s, seed %d: %d and %d", c->name, (int)seed, (int)a, (int)b);
				HARNESS_FAILED(0);
			}
			if (races.n != expected(c)) {
				TH_LOG("%s, seed %d: %zu pairs", c->name, (int)seed, races.n);
				HARNESS_FAILED(0);
			}
			free(races.v);
			run_clear(&r);
		}
	}
}

/*
 * 1 looks at the pointer without the lock, 3 sets it under the lock after 2 filled what it
 * points to, 4 reads that. The first to come fills; the other one's 1 races with 3, and where
 * it saw the pointer its 4 races with 2. Who gets the lock later is ordered.
 */
TEST(double_checked_initialisation_races_where_it_is_broken)
{
	static const struct run_program seen = { {
		T0_TWO, { R(FLAG, 1), LOCK(0), W(DATA, 2), W(FLAG, 3), UNLOCK(0) },
		{ R(FLAG, 1), R(DATA, 4) },
	} };
	static const struct run_program locked = { {
		T0_TWO, { R(FLAG, 1), LOCK(0), W(DATA, 2), W(FLAG, 3), UNLOCK(0) },
		{ R(FLAG, 1), LOCK(0), UNLOCK(0), R(DATA, 4) },
	} };
	static const struct run_program mended = { {
		T0_TWO, { AR(FLAG, 1), LOCK(0), W(DATA, 2), AW(FLAG, 3), UNLOCK(0) },
		{ AR(FLAG, 1), R(DATA, 4) },
	} };
	const struct { const struct run_program *p; size_t races; } cases[] = {
		{ &seen, 2 }, { &locked, 1 }, { &mended, 0 },
	};
	struct chess_races races;
	static struct run r;
	size_t i;

	/* seed 0: T1 to its end, then T2 */
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		run_execute(cases[i].p, 0, &r);
		ASSERT_EQ(0, chess_races_find(r.record, r.access, r.n, NULL, &races));
		EXPECT_EQ(cases[i].races, races.n);
		free(races.v);
		run_clear(&r);
	}
}

TEST_HARNESS_MAIN
