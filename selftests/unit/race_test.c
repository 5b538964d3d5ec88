// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves which pairs of instructions are reported as races: for each way to synchronize
 * none where it is used and the one where it is not, and on thousands of random programs
 * the same by vector clocks, by Goldilocks and by reachability in the graph of the run.
 */
#include "harness.h"
#include "internal.h"
#include "goldilocks.h"
#include "race_run.h"

#define X	0
#define Y	16

/* Pairs of instructions, the lower one first. */
struct pairs {
	uint64_t a[512], b[512];
	size_t n;
};

static void add_pair(struct pairs *p, uint64_t a, uint64_t b)
{
	uint64_t low = a < b ? a : b, high = a < b ? b : a;
	size_t i;

	for (i = 0; i < p->n; i++)
		if (p->a[i] == low && p->b[i] == high)
			return;
	ASSERT_LT(p->n, ARRAY_SIZE(p->a));
	p->a[p->n] = low;
	p->b[p->n++] = high;
}

static bool has_pair(const struct pairs *p, uint64_t a, uint64_t b)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (p->a[i] == a && p->b[i] == b)
			return true;
	return false;
}

static bool same_pairs(const struct pairs *p, const struct pairs *q)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (!has_pair(q, p->a[i], p->b[i]))
			return false;
	return p->n == q->n;
}

/* The definition. */
static void by_graph(const struct run *r, struct pairs *out)
{
	size_t i, k;

	out->n = 0;
	for (k = 0; k < r->n; k++) {
		for (i = 0; i < k; i++) {
			const struct chess_access *a = &r->access[i], *b = &r->access[k];

			if (a->task == b->task || a->address >= b->address + b->size ||
			    b->address >= a->address + a->size ||
			    !((a->kind | b->kind) & CHESS_ACCESS_WRITE) ||
			    (a->kind & b->kind & CHESS_ACCESS_ATOMIC) || run_is_before(r, i, k))
				continue;
			add_pair(out, a->ip, b->ip);
		}
	}
}

static void by_library(const struct run *r, bool locksets, struct pairs *out)
{
	struct chess_race_opts opts = { .detector = locksets ? &chess_by_locksets : NULL };
	struct chess_races races;
	size_t i;

	out->n = 0;
	ASSERT_EQ(0, chess_races_find(r->record, r->access, r->n, &opts, &races));
	EXPECT_EQ(0UL, (unsigned long)(races.forgotten + races.dropped));
	for (i = 0; i < races.n; i++)
		add_pair(out, r->access[races.v[i].first].ip, r->access[races.v[i].second].ip);
	EXPECT_EQ(races.n, out->n);
	free(races.v);
}

/* Number of pairs, the same in three ways; -1: they differ. */
static int races_of(const struct run_program *p, uint64_t seed)
{
	static struct pairs graph, clocks, locksets;
	static struct run r;

	run_execute(p, seed, &r);
	by_graph(&r, &graph);
	by_library(&r, false, &clocks);
	by_library(&r, true, &locksets);
	run_clear(&r);
	if (!same_pairs(&graph, &clocks) || !same_pairs(&graph, &locksets)) {
		TH_LOG("seed %llu: %zu pairs by reachability, %zu by clocks, %zu by locksets",
		       (unsigned long long)seed, graph.n, clocks.n, locksets.n);
		return -1;
	}
	return graph.n;
}

/*
 * T0 makes T1 and T2 and does not wait. T1 runs to its end before T2 as it is lower,
 * where it need not wait: so it is no luck of the schedule that hides a race.
 */
#define OP(k, x)	{ RUN_##k, x, 0, 0 }
#define OP2(k, x, y)	{ RUN_##k, x, y, 0 }
#define TWO_OPS		OP(CREATE, 1), OP(CREATE, 2)
#define OPS(...)	{ __VA_ARGS__ }

struct race_case {
	const char *name;
	int races;
	struct run_program program;
};

#define ROW(text, count, one, two) { text, count, { { { TWO_OPS }, one, two } } }

static const struct race_case cases[] = {
	ROW("nothing", 1, OPS(OP(W, X)), OPS(OP(W, X))),
	ROW("both read", 0, OPS(OP(R, X)), OPS(OP(R, X))),
	ROW("one reads", 1, OPS(OP(R, X)), OPS(OP(W, X))),
	ROW("other bytes", 0, OPS(OP2(W, X, 2)), OPS(OP2(W, X + 2, 2))),
	ROW("one byte of theirs", 1, OPS(OP2(W, X, 4)), OPS(OP2(W, X + 3, 8))),
	ROW("over two words", 1, OPS(OP2(W, X + 4, 8)), OPS(OP2(R, X + 11, 1))),
	/* the order of the run is not an order: T1 unlocks after its access, T2 locks nothing */
	ROW("one locks", 1, OPS(OP(LOCK, 0), OP(W, X), OP(UNLOCK, 0)), OPS(OP(W, X))),
	ROW("mutex", 0, OPS(OP(LOCK, 0), OP(W, X), OP(UNLOCK, 0)),
	    OPS(OP(LOCK, 0), OP(W, X), OP(UNLOCK, 0))),
	ROW("two mutexes", 1, OPS(OP(LOCK, 0), OP(W, X), OP(UNLOCK, 0)),
	    OPS(OP(LOCK, 1), OP(W, X), OP(UNLOCK, 1))),
	ROW("behind the lock", 1, OPS(OP(LOCK, 0), OP(UNLOCK, 0), OP(W, X)),
	    OPS(OP(LOCK, 0), OP(W, X), OP(UNLOCK, 0))),
	/* in the run T1's access is ordered: happens-before says no race, as it is */
	ROW("before the lock", 0, OPS(OP(W, X), OP(LOCK, 0), OP(UNLOCK, 0)),
	    OPS(OP(LOCK, 0), OP(W, X), OP(UNLOCK, 0))),
	ROW("trylock", 0, OPS(OP(LOCK, 0), OP(W, X), OP(UNLOCK, 0)),
	    OPS(OP2(TRYLOCK, 0, 2), OP(W, X), OP(UNLOCK, 0))),
	/* T1 never unlocks; T2 skips nothing when it does not get the lock */
	ROW("failed trylock", 1, OPS(OP(LOCK, 0), OP(W, X)), OPS(OP2(TRYLOCK, 0, 0), OP(W, X))),
	ROW("read lock beside write lock", 0, OPS(OP(WRLOCK, 0), OP(W, X), OP(RWUNLOCK, 0)),
	    OPS(OP(RDLOCK, 0), OP(R, X), OP(RWUNLOCK, 0))),
	ROW("write lock behind read lock", 0, OPS(OP(RDLOCK, 0), OP(R, X), OP(RWUNLOCK, 0)),
	    OPS(OP(WRLOCK, 0), OP(W, X), OP(RWUNLOCK, 0))),
	ROW("two readers, one writes", 1, OPS(OP(RDLOCK, 0), OP(W, X), OP(RWUNLOCK, 0)),
	    OPS(OP(RDLOCK, 0), OP(R, X), OP(RWUNLOCK, 0))),
	ROW("semaphore", 0, OPS(OP(W, X), OP(SEM_POST, 0)), OPS(OP(SEM_WAIT, 0), OP(W, X))),
	ROW("semaphore posted too early", 1, OPS(OP(SEM_POST, 0), OP(W, X)),
	    OPS(OP(SEM_WAIT, 0), OP(W, X))),
	ROW("other semaphore", 1, OPS(OP(W, X), OP(SEM_POST, 0), OP(SEM_POST, 1)),
	    OPS(OP(W, X), OP(SEM_WAIT, 1))),
	ROW("barrier", 0, OPS(OP(W, X), OP2(BARRIER, 0, 2), OP(R, Y)),
	    OPS(OP(W, Y), OP2(BARRIER, 0, 2), OP(R, X))),
	ROW("behind the barrier", 1, OPS(OP2(BARRIER, 0, 2), OP(W, X)),
	    OPS(OP2(BARRIER, 0, 2), OP(R, X))),
	/* T1 waits, as it is lower; nobody but the signal orders */
	ROW("condition", 0,
	    OPS(OP(LOCK, 0), OP2(COND_WAIT, 0, 0), OP(R, X), OP(UNLOCK, 0)),
	    OPS(OP(W, X), OP(COND_SIGNAL, 0))),
	ROW("behind the signal", 1,
	    OPS(OP(LOCK, 0), OP2(COND_WAIT, 0, 0), OP(R, X), OP(UNLOCK, 0)),
	    OPS(OP(COND_BROADCAST, 0), OP(W, X))),
	ROW("condition gives the mutex away", 0,
	    OPS(OP(LOCK, 0), OP(W, X), OP2(COND_WAIT, 0, 0), OP(UNLOCK, 0)),
	    OPS(OP(LOCK, 0), OP(W, X), OP(UNLOCK, 0))),
	ROW("once", 0, OPS(OP(ONCE, 0), OP(W, X)), OPS(OP(ONCE, 0), OP(R, X))),
	ROW("pipe", 0, OPS(OP(W, X), OP(PIPE_WRITE, 0)), OPS(OP(PIPE_READ, 0), OP(R, X))),
	ROW("behind the pipe", 1, OPS(OP(PIPE_WRITE, 0), OP(W, X)),
	    OPS(OP(PIPE_READ, 0), OP(R, X))),
	ROW("both write to a pipe", 1, OPS(OP(W, X), OP(PIPE_WRITE, 0)),
	    OPS(OP(PIPE_WRITE, 0), OP(W, X))),
	ROW("atomics", 0, OPS(OP(ARW, X)), OPS(OP(ARW, X))),
	ROW("atomic and plain", 1, OPS(OP(ARW, X)), OPS(OP(R, X))),
	ROW("published by an atomic flag", 0, OPS(OP(W, X), OP(AW, Y)), OPS(OP(AR, Y), OP(R, X))),
	ROW("published by a plain flag", 2, OPS(OP(W, X), OP(W, Y)), OPS(OP(R, Y), OP(R, X))),
	ROW("two that only load the flag", 1, OPS(OP(W, X), OP(AR, Y)), OPS(OP(AR, Y), OP(R, X))),
	ROW("a yield", 1, OPS(OP(W, X), OP(YIELD, 0)), OPS(OP(YIELD, 0), OP(W, X))),
	/* handed on: T1 fills it without a lock, puts it into a queue that has one */
	ROW("ownership by a queue", 0,
	    OPS(OP(W, X), OP(LOCK, 0), OP(W, Y), OP(UNLOCK, 0)),
	    OPS(OP(LOCK, 0), OP(R, Y), OP(UNLOCK, 0), OP(RW, X))),
};

TEST(each_way_to_synchronize_orders_what_it_orders)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		int races = races_of(&cases[i].program, 0);

		if (races != cases[i].races) {
			TH_LOG("%s: expected %d pairs, seen %d", cases[i].name, cases[i].races,
			       races);
			HARNESS_FAILED(0);
		}
	}
}

TEST(create_and_join_order)
{
	/* T0 before the creation and after the join: no race; in between: one */
	static const struct run_program program = { {
		{ OP(W, X), OP(CREATE, 1), OP(W, Y), OP(JOIN, 1), OP(W, X) },
		{ OP(W, X), OP(W, Y) },
	} };

	EXPECT_EQ(1, races_of(&program, 0));
	EXPECT_EQ(1, races_of(&program, 7));
}

/* A task that came to a barrier's first round is ordered after none of the second. */
TEST(rounds_of_a_barrier_are_apart)
{
	static const struct run_program program = { {
		{ TWO_OPS },
		{ OP2(BARRIER, 0, 2), OP(W, X), OP2(BARRIER, 0, 2) },
		{ OP2(BARRIER, 0, 2), OP(R, X), OP2(BARRIER, 0, 2), OP(R, X) },
	} };
	uint64_t seed;

	/* the read in between races in every run, the one after it in none */
	for (seed = 0; seed < 20; seed++)
		EXPECT_EQ(1, races_of(&program, seed));
}

/* @wide: parts of long accesses are accessed as well, and they overlap each other by parts */
static void random_task(struct run_program *p, int t, uint64_t *s, bool wide)
{
	static const unsigned int at[][5] = {
		{ X, X + 2, X + 4, Y, Y + 6 }, { X, X + 2, X + 604, X + 1101, X + 1503 },
	}, size[][4] = { { 1, 2, 4, 8 }, { 1, 40, 600, 1509 } };
	struct run_op *op = p->op[t];
	int n = 0, i, held = -1, reading = -1;

	for (i = 1; t == 0 && i < RUN_TASKS - 1; i++)
		op[n++] = (struct run_op) OP(CREATE, i);
	while (n < RUN_OPS - 6) {
		unsigned int kind = run_random(s) % 24, object = run_random(s) % 2;

		if (kind < 11) {
			op[n].kind = RUN_R + (kind < 7 ? kind % 3 : kind % 6);
			op[n].a = at[wide][run_random(s) % 5];
			op[n].b = size[wide][run_random(s) % 4];
			/* instructions are shared by tasks, too */
			op[n].ip = run_random(s) % 3 ? 0 : 0x100 + run_random(s) % 8;
			n++;
		} else if (kind < 14) {
			if (held < 0)
				op[n++] = (struct run_op) OP(LOCK, object);
			else
				op[n++] = (struct run_op) OP(UNLOCK, held);
			held = held < 0 ? (int)object : -1;
		} else if (kind == 14 && held < 0) {
			/* skips what it guards, and the unlock */
			op[n++] = (struct run_op) OP2(TRYLOCK, object, 2);
			op[n++] = (struct run_op) OP2(W, Y, 4);
			op[n++] = (struct run_op) OP(UNLOCK, object);
		} else if (kind == 15 && held >= 0) {
			op[n++] = (struct run_op) OP2(COND_WAIT, object, held);
		} else if (kind < 18) {
			if (reading < 0)
				op[n++] = (struct run_op) { kind & 1 ? RUN_RDLOCK : RUN_WRLOCK,
							    object, 0, 0 };
			else
				op[n++] = (struct run_op) OP(RWUNLOCK, reading);
			reading = reading < 0 ? (int)object : -1;
		} else if (kind == 18) {
			op[n++] = (struct run_op) OP(SEM_POST, object);
		} else if (kind == 19) {
			op[n++] = (struct run_op) OP(SEM_WAIT, object);
		} else if (kind == 20) {
			op[n++] = (struct run_op) { object ? RUN_COND_SIGNAL : RUN_COND_BROADCAST,
						    run_random(s) % 2, 0, 0 };
		} else if (kind == 21) {
			op[n++] = (struct run_op) OP2(BARRIER, object, 2);
		} else if (kind == 22) {
			op[n++] = (struct run_op) {
				object ? RUN_PIPE_WRITE : RUN_PIPE_READ, 0, 0, 0
			};
		} else if (object && n) {
			/* an instruction again, others may have been there in between */
			op[n++] = (struct run_op) OP(YIELD, 0);
			for (i = n - 2; i >= 0 && op[i].kind >= RUN_FIRST_SYNC; i--)
				;
			if (i >= 0) {
				if (!op[i].ip)
					op[i].ip = 0x800 + 0x20 * t + i;
				op[n] = op[i];
				n++;
			}
		} else {
			op[n++] = (struct run_op) OP(ONCE, object);
		}
	}
	if (reading >= 0)
		op[n++] = (struct run_op) OP(RWUNLOCK, reading);
	if (held >= 0)
		op[n++] = (struct run_op) OP(UNLOCK, held);
	if (t == 0 && run_random(s) % 2) {
		op[n++] = (struct run_op) OP(JOIN, 1 + run_random(s) % 2);
		op[n++] = (struct run_op) OP2(RW, X, 8);
	}
	op[n].kind = RUN_END;
}

TEST(three_ways_agree_on_random_programs)
{
	const char *count = getenv("COUNT"), *from = getenv("SEED");
	uint64_t seed = from ? strtoull(from, NULL, 0) : 1;
	uint64_t end = seed + (count ? strtoull(count, NULL, 0) : 4000), racy = 0, clean = 0;
	struct run_program p;

	for (; seed < end; seed++) {
		uint64_t s = seed;
		int t, races;

		memset(&p, 0, sizeof(p));
		for (t = 0; t < RUN_TASKS - 1; t++)
			random_task(&p, t, &s, seed & 1);
		races = races_of(&p, seed);
		ASSERT_LE(0, races);
		racy += races > 0;
		clean += !races;
	}
	printf("# %llu programs with races, %llu without\n", (unsigned long long)racy,
	       (unsigned long long)clean);
	if (!count)
		EXPECT_LT(0UL, (unsigned long)clean);
}

/* Two tasks, four instructions; the same pair again and again is one race. */
TEST(a_pair_of_instructions_is_one_race)
{
	static const struct run_program program = { {
		{ TWO_OPS },
		{ { RUN_W, X, 4, 0x10 }, { RUN_W, X, 4, 0x20 }, { RUN_W, X, 8, 0x10 } },
		{ { RUN_R, X, 4, 0x30 }, { RUN_R, X, 4, 0x30 }, { RUN_W, X + 4, 4, 0x10 } },
	} };
	struct chess_races races;
	static struct run r;
	size_t i;

	run_execute(&program, 0, &r);
	ASSERT_EQ(0, chess_races_find(r.record, r.access, r.n, NULL, &races));
	/* 10-30, 20-30, 10-10 */
	ASSERT_EQ(3UL, (unsigned long)races.n);
	for (i = 0; i < races.n; i++) {
		EXPECT_EQ(1, r.access[races.v[i].first].task);
		EXPECT_EQ(2, r.access[races.v[i].second].task);
		EXPECT_FALSE(races.v[i].beside_atomic);
		EXPECT_EQ(1UL, (unsigned long)races.v[i].count);
	}
	free(races.v);
	run_clear(&r);
}

static uint8_t at_y(void *arg, const struct chess_access *a)
{
	bool atomic = a->address == 0x10000 + Y && !arg;

	return a->kind | (atomic ? CHESS_ACCESS_ATOMIC : 0);
}

/* mov to a flag that is _Atomic: known from outside it orders, else it is reported. */
TEST(plain_moves_to_atomic_variables_are_told_apart)
{
	static const struct run_program program = { {
		{ TWO_OPS }, { OP(W, X), OP(W, Y) }, { OP(R, Y), OP(R, X) },
	} };
	static const struct run_program mixed = { {
		{ TWO_OPS }, { OP(ARW, Y) }, { OP(R, Y) },
	} };
	struct chess_race_opts opts = { .kind = at_y };
	struct chess_races races;
	static struct run r;

	run_execute(&program, 0, &r);
	ASSERT_EQ(0, chess_races_find(r.record, r.access, r.n, &opts, &races));
	EXPECT_EQ(0UL, (unsigned long)races.n);
	free(races.v);
	run_clear(&r);
	run_execute(&mixed, 0, &r);
	ASSERT_EQ(0, chess_races_find(r.record, r.access, r.n, NULL, &races));
	ASSERT_EQ(1UL, (unsigned long)races.n);
	EXPECT_TRUE(races.v[0].beside_atomic);
	free(races.v);
	run_clear(&r);
}

/* T2 is given what T1 had, and nobody gave back: an ip would say so. See freed_test.c. */
TEST(new_memory_has_no_past)
{
	struct chess_access a[3];
	struct chess_races races;
	static struct run r;
	static const struct run_program program = { {
		{ TWO_OPS }, { OP2(W, X, 64) }, { OP2(W, X, 64) },
	} };

	run_execute(&program, 0, &r);
	ASSERT_EQ(2UL, (unsigned long)r.n);
	a[0] = r.access[0];
	a[1] = r.access[1];
	a[2] = r.access[1];
	a[1].kind = CHESS_ACCESS_FRESH;
	a[1].ip = 0;
	a[1].size = 32;
	ASSERT_EQ(0, chess_races_find(r.record, a, 3, NULL, &races));
	EXPECT_EQ(1UL, (unsigned long)races.n);	/* the other 32 bytes */
	free(races.v);
	a[1].size = 63;
	ASSERT_EQ(0, chess_races_find(r.record, a, 3, NULL, &races));
	EXPECT_EQ(1UL, (unsigned long)races.n);	/* one byte */
	EXPECT_EQ(0x10000UL, (unsigned long)races.v[0].address);
	EXPECT_EQ(64UL, (unsigned long)races.v[0].size);
	free(races.v);
	a[1].size = 64;
	ASSERT_EQ(0, chess_races_find(r.record, a, 3, NULL, &races));
	EXPECT_EQ(0UL, (unsigned long)races.n);
	free(races.v);
	/* more than there is in the shadow, and not from the begin of a word on */
	a[1].address -= 3;
	a[1].size = 1 << 20;
	ASSERT_EQ(0, chess_races_find(r.record, a, 3, NULL, &races));
	EXPECT_EQ(0UL, (unsigned long)races.n);
	free(races.v);
	run_clear(&r);
}

/* Pieces of a heap, whose begin is 16 bytes before what is raced for. */
static struct chess_access piece(const struct chess_access *by, uint8_t kind, uint64_t ip)
{
	struct chess_access a = *by;

	a.kind = kind;
	a.ip = ip;
	a.address -= 16;
	a.size = 96;
	return a;
}

/*
 * It is none of the accesses that race, and ends nothing: only FRESH does. That is a write
 * where a heap does it, with an ip: then it races with the second access, as the first one does,
 * and is seen before, as it stands before.
 */
TEST(the_last_allocation_counts)
{
	static const struct run_program program = { {
		{ TWO_OPS }, { OP2(W, X, 64) }, { OP2(W, X, 64) },
	} };
	static struct run r;
	const struct {
		struct { uint8_t kind, ip; } other[3];	/* before, between and after the two */
		uint32_t allocated, freed;
	} row[] = {
		{ { { 0, 0 }, { 0, 0 } }, 0, 0 },
		{ { { CHESS_ACCESS_ALLOCATED, 1 } }, 1, 0 },
		{ { { CHESS_ACCESS_ALLOCATED, 1 }, { CHESS_ACCESS_ALLOCATED, 2 } }, 3, 0 },
		{ { { 0 }, { 0 }, { CHESS_ACCESS_ALLOCATED, 2 } }, 0, 0 },
		{ { { CHESS_ACCESS_FRESH, 1 } }, 0, 1 },
		{ { { CHESS_ACCESS_FRESH, 0 } }, 0, 0 },
	};
	struct chess_access a[5];
	struct chess_races races;
	size_t i, k;

	run_execute(&program, 0, &r);
	ASSERT_EQ(2UL, (unsigned long)r.n);
	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		for (k = 0; k < 3; k++)
			a[2 * k] = piece(&r.access[k == 2], row[i].other[k].kind,
					 row[i].other[k].ip);
		a[1] = r.access[0];
		a[3] = r.access[1];
		a[2].seq = a[3].seq;
		/* Kind zero: no access either. */
		for (k = 0; k < 5; k += 2)
			if (!row[i].other[k / 2].kind)
				a[k].size = 0;
		ASSERT_EQ(0, chess_races_find(r.record, a, 5, NULL, &races));
		ASSERT_EQ(row[i].freed ? 2UL : 1UL, (unsigned long)races.n);
		k = races.n - 1;
		EXPECT_EQ(1UL, (unsigned long)races.v[k].first);
		EXPECT_EQ(row[i].allocated, races.v[k].allocated);
		EXPECT_EQ(row[i].freed, races.v[k].freed);
		if (k)
			EXPECT_EQ(0UL, (unsigned long)races.v[0].first);
		free(races.v);
	}
	/* Given back before the two, and mapped again before that. */
	a[0] = piece(&r.access[0], CHESS_ACCESS_ALLOCATED, 1);
	a[1] = piece(&r.access[0], CHESS_ACCESS_FRESH, 2);
	a[2] = r.access[0];
	a[3] = r.access[1];
	ASSERT_EQ(0, chess_races_find(r.record, a, 4, NULL, &races));
	ASSERT_EQ(2UL, (unsigned long)races.n);
	EXPECT_EQ(1UL, (unsigned long)races.v[0].first);	/* the free() and the access */
	EXPECT_EQ(1U, races.v[1].allocated);
	EXPECT_EQ(2U, races.v[1].freed);
	free(races.v);
	a[1].ip = 0;
	ASSERT_EQ(0, chess_races_find(r.record, a, 4, NULL, &races));
	ASSERT_EQ(1UL, (unsigned long)races.n);
	EXPECT_EQ(0U, races.v[0].allocated);
	EXPECT_EQ(0U, races.v[0].freed);
	free(races.v);
	/* Another one's memory: it ends where the race begins. */
	a[0].address -= 80;
	a[1] = a[0];
	ASSERT_EQ(0, chess_races_find(r.record, a, 4, NULL, &races));
	ASSERT_EQ(1UL, (unsigned long)races.n);
	EXPECT_EQ(0U, races.v[0].allocated);
	free(races.v);
	run_clear(&r);
}

/* A child that was forked has a copy; in a shared mapping it has not. */
TEST(processes_share_only_what_is_shared)
{
	static const struct run_program program = { {
		{ OP(CREATE, 1), OP(W, X) }, { OP(W, X) },
	} };
	struct chess_record *forked = chess_record_new(), *borrowed = chess_record_new();
	struct chess_access a[3];
	struct chess_races races;
	static struct run r;
	struct chess_event e;
	size_t i;

	run_execute(&program, 0, &r);
	for (i = 0; i < chess_record_length(r.record); i++) {
		e = *chess_record_event(r.record, i);
		if (e.op == CHESS_OP_CREATE)
			e.op = CHESS_OP_FORK;
		chess_record_push(forked, &e, 1);
	}
	ASSERT_EQ(0, chess_races_find(r.record, r.access, r.n, NULL, &races));
	EXPECT_EQ(1UL, (unsigned long)races.n);
	free(races.v);
	ASSERT_EQ(0, chess_races_find(forked, r.access, r.n, NULL, &races));
	EXPECT_EQ(0UL, (unsigned long)races.n);
	free(races.v);
	/* The child of a vfork() has no copy. */
	for (i = 0; i < chess_record_length(forked); i++) {
		e = *chess_record_event(forked, i);
		if (e.type == CHESS_EVENT_SPAWN)
			e.arg = CHESS_SPAWN_BORROWS;
		chess_record_push(borrowed, &e, 1);
	}
	ASSERT_EQ(0, chess_races_find(borrowed, r.access, r.n, NULL, &races));
	EXPECT_EQ(1UL, (unsigned long)races.n);
	free(races.v);
	chess_record_free(borrowed);
	/* fork() of the C library looks like the creation of a thread, but for this. */
	a[1] = r.access[0];
	a[2] = r.access[1];
	a[0] = (struct chess_access) { .kind = CHESS_ACCESS_COPIED, .seq = a[1].seq };
	ASSERT_EQ(0, chess_races_find(r.record, a, 3, NULL, &races));
	EXPECT_EQ(0UL, (unsigned long)races.n);
	free(races.v);
	for (i = 0; i < r.n; i++)
		r.access[i].kind |= CHESS_ACCESS_SHARED;
	ASSERT_EQ(0, chess_races_find(forked, r.access, r.n, NULL, &races));
	EXPECT_EQ(1UL, (unsigned long)races.n);
	free(races.v);
	/* Each has its own, at one address. */
	for (i = 0; i < r.n; i++)
		r.access[i].memory = i + 1;
	ASSERT_EQ(0, chess_races_find(forked, r.access, r.n, NULL, &races));
	EXPECT_EQ(0UL, (unsigned long)races.n);
	free(races.v);
	for (i = 0; i < r.n; i++)
		r.access[i].memory = 2;
	ASSERT_EQ(0, chess_races_find(forked, r.access, r.n, NULL, &races));
	EXPECT_EQ(1UL, (unsigned long)races.n);
	free(races.v);
	/* One goes to the memory of the other, as a call for that does. */
	for (i = 0; i < r.n; i++)
		r.access[i].kind &= ~CHESS_ACCESS_SHARED;
	r.access[0].memory = 0;
	r.access[1].memory = CHESS_ACCESS_OF_TASK;
	r.access[1].ip = r.access[0].task;
	ASSERT_EQ(0, chess_races_find(forked, r.access, r.n, NULL, &races));
	EXPECT_EQ(1UL, (unsigned long)races.n);
	free(races.v);
	r.access[1].ip = r.access[1].task;
	ASSERT_EQ(0, chess_races_find(forked, r.access, r.n, NULL, &races));
	EXPECT_EQ(0UL, (unsigned long)races.n);
	free(races.v);
	chess_record_free(forked);
	run_clear(&r);
}

/* One with @kind of task @task, after event @seq, at an address of its own code. */
static struct chess_access plain(unsigned int task, uint32_t seq, uint8_t kind, uint64_t address,
				 uint64_t ip)
{
	return (struct chess_access) {
		.task = task, .seq = seq, .kind = kind, .address = address, .size = 4, .ip = ip,
	};
}

/*
 * T0 makes thread T1 and forks process T2; T1 writes X, before or after the fork. What T2
 * reads of X is what T0 copied, so it races with that, unless T2 wrote or mapped it before;
 * of a change in its own copy only the reading. And so in a process that T2 forks.
 */
TEST(what_is_forked_was_read_by_the_copy)
{
	enum { R = CHESS_ACCESS_READ, W = CHESS_ACCESS_WRITE, A = CHESS_ACCESS_ATOMIC,
	       FRESH = CHESS_ACCESS_FRESH };
	static const struct {
		uint8_t thread;		/* what T1 does to X */
		uint8_t own[2];		/* what T2 does to X, in this order */
		size_t races;
	} row[] = {
		{ W, { R, 0 }, 1 },
		{ W, { R, R }, 2 },
		{ W, { W, 0 }, 0 },
		{ W, { W, R }, 0 },
		{ W, { FRESH, R }, 0 },
		{ W, { R | W, R }, 1 },
		{ R, { R, 0 }, 0 },
		{ R, { R | W, 0 }, 0 },
		{ R, { W, R }, 0 },
		{ W | A, { R | A, 0 }, 0 },
		{ W | A, { R, 0 }, 1 },
	};
	static const struct run_program program = { {
		{ OP(CREATE, 1), OP(CREATE, 2), OP(R, Y) },
		{ OP(R, Y) },
		{ OP(CREATE, 3), OP(R, Y) },
		{ OP(R, Y) },
	} };
	struct chess_record *forked = chess_record_new();
	uint32_t last = 0, fork_at = 0;
	unsigned int creates = 0, late, by;
	struct chess_access a[4];
	struct chess_races races;
	static struct run r;
	struct chess_event e;
	size_t i, k, n;

	run_execute(&program, 0, &r);
	for (i = 0; i < chess_record_length(r.record); i++) {
		e = *chess_record_event(r.record, i);
		if (e.op == CHESS_OP_CREATE && creates++) {
			e.op = CHESS_OP_FORK;
			fork_at = creates == 2 ? e.seq : fork_at;
		}
		last = e.seq;
		chess_record_push(forked, &e, 1);
	}
	ASSERT_EQ(3U, creates);
	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		for (late = 0; late < 2; late++)
			for (by = 2; by < 4; by++) {
				n = 0;
				if (!late)
					a[n++] = plain(1, fork_at - 1, row[i].thread, X, 100);
				for (k = 0; k < 2; k++)
					if (row[i].own[k])
						a[n++] = plain(by, last, row[i].own[k], X, 200 + k);
				if (late)
					a[n++] = plain(1, last, row[i].thread, X, 100);
				/* That the parent's memory has two tasks. */
				a[n++] = plain(0, last, R, Y, 300);
				ASSERT_EQ(0, chess_races_find(forked, a, n, NULL, &races));
				if (row[i].races != races.n)
					TH_LOG("row %zu, late %u, by task %u", i, late, by);
				EXPECT_EQ((unsigned long)row[i].races, (unsigned long)races.n);
				for (k = 0; k < races.n; k++)
					EXPECT_LT(races.v[k].first, races.v[k].second);
				free(races.v);
			}
	chess_record_free(forked);
	run_clear(&r);
}

/* Accesses before others begin, and after the end of all others, take no memory. */
TEST(who_is_alone_is_not_remembered)
{
	static const struct run_program program = { {
		{ OP2(W, X, 16), OP2(W, Y, 8), TWO_OPS }, { OP(R, X) }, { OP(LOCK, 0) },
	} };
	struct chess_race_opts opts = { .max_entries = 1 };
	struct chess_races races;
	static struct run r;

	run_execute(&program, 0, &r);
	ASSERT_EQ(0, chess_races_find(r.record, r.access, r.n, &opts, &races));
	EXPECT_EQ(0UL, (unsigned long)races.forgotten);
	EXPECT_EQ(0UL, (unsigned long)races.n);
	run_clear(&r);
}

TEST(what_did_not_fit_is_counted)
{
	static const struct run_program program = { {
		{ TWO_OPS }, { OP2(W, X, 16), OP2(R, Y, 8) }, { OP2(W, X, 16), OP2(W, Y, 8) },
	} };
	struct chess_race_opts opts = { .max_entries = 2 };
	struct chess_races races;
	static struct run r;

	run_execute(&program, 0, &r);
	ASSERT_EQ(0, chess_races_find(r.record, r.access, r.n, &opts, &races));
	/*
	 * Two entries are T1's: no room for its read of y, and T2's two words. T2's y needs
	 * none, as nobody is left who could race with it.
	 */
	EXPECT_EQ(3UL, (unsigned long)races.forgotten);
	EXPECT_EQ(1UL, (unsigned long)races.n);
	free(races.v);
	opts = (struct chess_race_opts) { .max_races = 1 };
	ASSERT_EQ(0, chess_races_find(r.record, r.access, r.n, &opts, &races));
	EXPECT_EQ(1UL, (unsigned long)races.n);
	EXPECT_EQ(2UL, (unsigned long)races.dropped);	/* x again, by its second word, and y */
	free(races.v);
	r.access[1].task = 9;
	EXPECT_EQ(-EINVAL, chess_races_find(r.record, r.access, r.n, NULL, &races));
	EXPECT_NE(NULL, (void *)strstr(chess_error(), "task 9"));
	run_clear(&r);
}

TEST_HARNESS_MAIN
