// SPDX-License-Identifier: GPL-2.0-only
/*
 * GenMC's synthetic tests, see genmc.h: most of them with a number of tasks or rounds, N. Many
 * come from publications on partial-order reduction.
 */
#include <stddef.h>

#include "genmc.h"

#define N	genmc_n
#define COMMIT_ROUNDS	6

static struct sim_var *const v = genmc_var;

enum { X, Y, Z, W };

/* Read-modify-writes and accesses of N tasks to one, two or three variables. */
static void adds_x(void *arg)
{
	(void)arg;
	genmc_add(&v[X], 1);
}

static void adds_xy(void *arg)
{
	adds_x(arg);
	genmc_add(&v[Y], 1);
}

static void adds_xyz(void *arg)
{
	adds_xy(arg);
	genmc_add(&v[Z], 1);
}

static void loads_and_stores(void *arg)
{
	long r = genmc_load(&v[X]);

	genmc_store(&v[X], r + (1 << (long)arg));
}

static void stores_own(void *arg)
{
	genmc_store(&v[X], (long)arg);
}

static void loads_x(void *arg)
{
	(void)arg;
	genmc_load(&v[X]);
}

static void stores_2(void *arg)
{
	(void)arg;
	genmc_store(&v[X], 2);
}

static void cas_from_0(void *arg)
{
	genmc_cas(&v[X], 0, (long)arg + 1);
}

static void cas_from_1_less(void *arg)
{
	genmc_cas(&v[X], (long)arg - 1, (long)arg);
}

static void cas_from_2(void *arg)
{
	(void)arg;
	genmc_cas(&v[X], 2, 3);
}

static void cas_and_stores(void *arg)
{
	genmc_cas(&v[X], 0, 1);
	genmc_store(&v[X], (long)arg + 3);
}

static void ainc(void *arg)
{
	(void)arg;
	genmc_run_same(adds_x, 0, N ? N : 2);
}

static void binc(void *arg)
{
	(void)arg;
	genmc_run_same(adds_xy, 0, N);
}

static void cinc(void *arg)
{
	(void)arg;
	genmc_run_same(adds_xyz, 0, N);
}

static void inc(void *arg)
{
	(void)arg;
	genmc_run_same(loads_and_stores, 0, N);
}

static void cas(void *arg)
{
	(void)arg;
	genmc_run_same(cas_from_0, 0, N);
}

static void casrot(void *arg)
{
	(void)arg;
	genmc_run_same(cas_from_1_less, 1, N);
}

static void casw(void *arg)
{
	(void)arg;
	genmc_run_same(cas_and_stores, 0, N);
}

/* One task runs @first, @n others run @body. */
static void one_and_others(void (*first)(void *arg), void (*body)(void *arg), int n)
{
	void (*run[32])(void *arg) = { first };
	int i;

	for (i = 1; i <= n; i++)
		run[i] = body;
	genmc_run(run, n + 1);
}

static void wainc(void *arg)
{
	(void)arg;
	one_and_others(stores_2, adds_x, N);
}

static void wcas(void *arg)
{
	(void)arg;
	one_and_others(stores_2, cas_from_2, N);
}

static void readers(void *arg)
{
	(void)arg;
	one_and_others(stores_2, loads_x, N);
}

static void n_writers(void *arg)
{
	(void)arg;
	one_and_others(loads_x, stores_own, N + 1);
}

static void stores_then_loads_y(void *arg)
{
	(void)arg;
	genmc_store(&v[X], 1);
	genmc_load(&v[Y]);
	genmc_load(&v[X]);
}

static void stores_then_loads_z(void *arg)
{
	(void)arg;
	genmc_store(&v[X], 2);
	genmc_load(&v[Z]);
	genmc_load(&v[X]);
}

static void stores_y_and_z(void *arg)
{
	genmc_store(&v[Y], (long)arg);
	genmc_store(&v[Z], (long)arg);
}

static void coa(void *arg)
{
	void (*run[32])(void *arg) = { stores_then_loads_y, stores_then_loads_z };
	int i;

	(void)arg;
	for (i = 2; i <= N; i++)
		run[i] = stores_y_and_z;
	genmc_run(run, N + 1);
}

/* Locks around one update, around two. */
static void locks_and_adds(void *arg)
{
	long i, cells = (long)arg;

	genmc_lock(&genmc_mutex[0]);
	for (i = 0; i < cells; i++)
		genmc_store(&v[i], genmc_load(&v[i]) + 1);
	genmc_unlock(&genmc_mutex[0]);
}

static void adds_one_locked(void *arg)
{
	(void)arg;
	locks_and_adds((void *)1L);
}

static void adds_two_locked(void *arg)
{
	(void)arg;
	locks_and_adds((void *)2L);
}

static void lockinc(void *arg)
{
	(void)arg;
	genmc_run_same(adds_one_locked, 0, N);
}

static void lock2inc(void *arg)
{
	(void)arg;
	genmc_run_same(adds_two_locked, 0, N);
}

/* Flanagan and Godefroid, POPL'05, figure 1: tasks enter messages into a table by hash. */
#define TABLE	128

static void enters(void *arg)
{
	long id = (long)arg, i, w, h;

	for (i = 0; i < 4; i++) {
		w = i * 11 + id;
		for (h = w * 7 % TABLE; genmc_cas(&v[h], 0, w); h = (h + 1) % TABLE)
			;
	}
}

static void indexer(void *arg)
{
	(void)arg;
	genmc_run_same(enters, 0, N);
}

/* Abdulla et al., POPL'14, figure 1: task i writes a[i] = a[i - 1] + 1, one looks for a zero. */
static void follows(void *arg)
{
	long i = (long)arg;

	genmc_store(&v[i], genmc_load(&v[i - 1]) + 1);
}

static void looks(void *arg)
{
	int i = N;

	(void)arg;
	while (genmc_load(&v[i]))
		i--;
}

static void last_zero(void *arg)
{
	void (*run[32])(void *arg) = { looks };
	int i;

	(void)arg;
	for (i = 1; i <= N; i++)
		run[i] = follows;
	genmc_run(run, N + 1);
}

/* Each of two adds the other's variable to its own, five times. */
static void adds_y_to_x(void *arg)
{
	int own = arg ? Y : X, i;

	for (i = 0; i < 5; i++) {
		long x = genmc_load(&v[X]), y = genmc_load(&v[Y]);

		genmc_store(&v[own], x + y);
	}
}

static void looks_for_144(void *arg)
{
	(void)arg;
	if (genmc_load(&v[X]) <= 144)
		genmc_load(&v[Y]);
}

static void fib_bench(void *arg)
{
	void (*const run[])(void *arg) = { adds_y_to_x, adds_y_to_x, looks_for_144 };

	(void)arg;
	v[X].value = v[Y].value = 1;
	genmc_run(run, 3);
}

/* Both strike out multiples, of what neither has struck out yet. */
static void sieves(void *arg)
{
	int i, j;

	(void)arg;
	for (i = 0; i < N; i++) {
		if (genmc_load(&v[i]))
			continue;
		genmc_store(&v[i], 1);
		for (j = 2 * i + 2; j < N; j += i + 2)
			genmc_store(&v[j], 2);
	}
}

static void eratosthenes(void *arg)
{
	(void)arg;
	genmc_run_same(sieves, 0, 2);
}

/* A round counts if the other has not stored in between; N of them, or the end of 6. */
static void commits_rounds(void *arg)
{
	int done = 0, round;

	for (round = 0; round < COMMIT_ROUNDS && done < N; round++) {
		genmc_store(&v[X], (long)arg);
		if (genmc_load(&v[X]) == (long)arg)
			done++;
	}
}

static void commits(void *arg)
{
	(void)arg;
	genmc_run_same(commits_rounds, 1, 2);
}

/* Mutual exclusion, each task a mirror of the other. */
static void enters_if_alone(void *arg)
{
	long me = (long)arg;

	genmc_store(&v[Y - me], 1);
	if (!genmc_load(&v[X + me]))
		genmc_store(&v[Z + me], 1);
}

static void if_both_entered(void (*access)(int i))
{
	int i;

	if (genmc_load(&v[Z]) && genmc_load(&v[Z + 1]))
		for (i = 0; i < N; i++)
			access(i);
}

static void store_x(int i)
{
	genmc_store(&v[X], i);
}

static void load_x(int i)
{
	(void)i;
	genmc_load(&v[X]);
}

static void stores_if_both(void *arg)
{
	(void)arg;
	if_both_entered(store_x);
}

static void loads_if_both(void *arg)
{
	(void)arg;
	if_both_entered(load_x);
}

static void dekker2_fixed(void *arg)
{
	void (*const run[])(void *arg) = {
		enters_if_alone, enters_if_alone, stores_if_both, loads_if_both,
	};

	(void)arg;
	genmc_run(run, 4);
}

static void enters_and_checks(void *arg)
{
	long me = (long)arg;

	genmc_store(&v[Y - me], 1);
	if (genmc_load(&v[X + me]))
		return;
	genmc_store(&v[Z], me);
	sim_assert(genmc_load(&v[Z]) == me);
}

static void dekker(void *arg)
{
	(void)arg;
	genmc_run_same(enters_and_checks, 0, 2);
}

/* Peterson's; in place of waiting it is assumed that the other has gone. */
static void peterson_enters(void *arg)
{
	long me = (long)arg;
	enum { FLAG, TURN = 2, IN };

	genmc_store(&v[FLAG + me], 1);
	genmc_store(&v[TURN], !me);
	if (genmc_load(&v[FLAG + !me]) == 1 && genmc_load(&v[TURN]) == !me) {
		genmc_give_up();
		return;
	}
	genmc_store(&v[IN], me);
	genmc_load(&v[IN]);
	genmc_store(&v[FLAG + me], 0);
}

static void peterson(void *arg)
{
	(void)arg;
	genmc_run_same(peterson_enters, 0, 2);
}

/* Szymanski's; the same. */
static bool szymanski_waits(long me)
{
	long other = !me;

	genmc_store(&v[me], 1);
	if (genmc_load(&v[other]) >= 3)
		return false;
	genmc_store(&v[me], 3);
	if (genmc_load(&v[other]) == 1) {
		genmc_store(&v[me], 2);
		if (genmc_load(&v[other]) != 4)
			return false;
	}
	genmc_store(&v[me], 4);
	return genmc_load(&v[other]) < 2;
}

static void szymanski_enters(void *arg)
{
	long me = (long)arg;

	if (!szymanski_waits(me)) {
		genmc_give_up();
		return;
	}
	genmc_store(&v[2], me);
	genmc_load(&v[2]);
	sim_assert(genmc_load(&v[2]) == me);
	if (genmc_load(&v[!me]) >= 2 && genmc_load(&v[!me]) <= 3) {
		genmc_give_up();
		return;
	}
	genmc_store(&v[me], 0);
}

static void szymanski(void *arg)
{
	(void)arg;
	genmc_run_same(szymanski_enters, 0, 2);
}

/* A reader asks at most 41 times whether there is something to read. */
static void publishes(void *arg)
{
	(void)arg;
	genmc_store(&v[X], 42);
	genmc_store(&v[Y], 1);
}

static void reads_published(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; genmc_load(&v[Y]) != 1; i++)
		if (i == 40)
			return;
	sim_assert(genmc_load(&v[X]) == 42);
}

static void publish(void *arg)
{
	void (*const run[])(void *arg) = { reads_published, publishes };

	(void)arg;
	genmc_run(run, 2);
}

/* Long tasks that meet at the end only. */
static void alone_and_last(void *arg)
{
	long me = (long)arg;
	int i;

	for (i = 0; i < N; i++) {
		genmc_store(&v[1 + me], i);
		genmc_load(&v[1 + me]);
	}
	genmc_store(&v[0], me);
	genmc_load(&v[0]);
}

static void par_length(void *arg)
{
	(void)arg;
	genmc_run_same(alone_and_last, 0, 2);
}

/* Each points to the other's variable, loads its own N times, and adds 3 where it points to. */
static void shares(void *arg)
{
	long me = (long)arg, to;
	int i;
	enum { POINTER = 2 };

	genmc_store(&v[POINTER], !me);
	for (i = 0; i < N; i++)
		genmc_load(&v[me]);
	to = genmc_load(&v[POINTER]);
	genmc_store(&v[to], genmc_load(&v[to]) + 3);
}

static void shared_ptr(void *arg)
{
	(void)arg;
	genmc_run_same(shares, 0, 2);
}

/* Several loads of some of four variables, and stores of 1, 2, 3 to two of them in turn. */
static void loads_in_turn(int n, int of)
{
	int i;

	for (i = 0; i < n; i++)
		genmc_load(&v[i % of]);
}

static void stores_in_turn(int first, int of, int from, int to)
{
	int i, value;

	for (value = from; value <= to; value++)
		for (i = 0; i < of; i++)
			genmc_store(&v[first + i], value);
}

static void big_loads_7(void *arg)
{
	(void)arg;
	loads_in_turn(7, 4);
}

static void big_loads_3(void *arg)
{
	(void)arg;
	loads_in_turn(3, 4);
}

static void big_stores_xy(void *arg)
{
	(void)arg;
	stores_in_turn(X, 2, 1, 3);
}

static void big_stores_zw(void *arg)
{
	(void)arg;
	stores_in_turn(Z, 2, 1, 3);
}

static void big0(void *arg)
{
	void (*const run[])(void *arg) = {
		big_loads_7, big_loads_3, big_stores_xy, big_stores_zw,
	};

	(void)arg;
	genmc_run(run, 4);
}

/* Herlihy and Wing's queue. */
enum { BACK, CELLS };

static void enqueue(long item)
{
	long k = genmc_add(&v[BACK], 1);

	genmc_store(&v[CELLS + k], item);
}

static long dequeue(void)
{
	long back = genmc_load(&v[BACK]), k, item;

	for (k = 0; k < back; k++) {
		item = genmc_exchange(&v[CELLS + k], 0);
		if (item)
			return item;
	}
	genmc_give_up();
	return 0;
}

static void hw_1(void *arg)
{
	(void)arg;
	enqueue(1);
	dequeue();
}

static void hw_2(void *arg)
{
	(void)arg;
	enqueue(2);
	enqueue(3);
}

static void hw_3(void *arg)
{
	(void)arg;
	if (dequeue())
		enqueue(4);
}

static void hw_4(void *arg)
{
	(void)arg;
	if (dequeue())
		dequeue();
}

static void hw_queue(void *arg)
{
	void (*const run[])(void *arg) = { hw_1, hw_2, hw_3, hw_4 };

	(void)arg;
	genmc_run(run, 4);
}

#define TEST(test, body, ...) \
	{ .suite = "synthetic", .name = test, .main = body, .n = { __VA_ARGS__ } }
#define TEXT(test, text) { .suite = "synthetic", .name = test, .tasks = text }

const struct genmc genmc_synthetic[] = {
	TEST("CoA", coa, 1, 2, 3, 4),
	TEST("N-writers", n_writers, 4),
	TEST("SharedPtr", shared_ptr, 100),
	TEST("ainc", ainc, 2, 3, 4, 5, 6, 7),
	TEST("big0", big0),
	TEST("binc", binc, 2, 3, 4),
	TEST("cas", cas, 2, 3, 4, 5),
	TEST("casrot", casrot, 2, 3, 4, 5, 6, 7, 8),
	TEST("casw", casw, 2, 3, 4),
	TEST("cinc", cinc, 2, 3, 4),
	TEST("commits", commits, 2),
	TEST("dekker2-fixed", dekker2_fixed, 2, 3, 4),
	TEST("dekker_f", dekker),
	TEST("eratosthenes", eratosthenes, 5),
	TEST("fib_bench", fib_bench),
	TEST("hwqueue-ra", hw_queue),
	TEST("inc", inc, 2, 3, 4),
	TEST("indexer", indexer, 12, 15),
	TEST("lastzero", last_zero, 5, 10),
	TEST("lock2inc", lock2inc, 2, 3, 4, 5, 6, 7),
	TEST("lockinc", lockinc, 2, 3, 4, 5, 6, 7),
	TEST("par_length", par_length, 400, 500, 600),
	TEST("peterson-sc", peterson),
	TEST("peterson", peterson),
	TEXT("psc-wb-fixpoint", "Wx1 Ry !=0 | Wx2 Rz !=0 | Wy1 Rx !=2 | Wz1 Rx !=1"),
	TEXT("psc-wb-fp-sezgin",
	     "Wc2 Wa2 Rb !=2 | Wc1 Ra !=2 Rb !=1 | Wb2 Wa1 Rc !=2 | Wb1 Ra !=1 Rc !=1"),
	TEXT("psc-wb-why-fxp", "Wx1 Ry !=0 Wy1 Rx !=1 | Wx2 Ry !=0 Wy2 Rx !=2"),
	TEST("publish", publish),
	TEST("readers", readers, 2, 8, 13),
	TEST("rinc", ainc),
	TEST("rw", inc, 2, 3, 4),
	TEST("szymanski", szymanski),
	TEST("wainc", wainc, 2, 3, 4),
	TEXT("wb1", "Wx1 Ux1 !=9 | Ux7 !=0 Rx"),
	TEXT("wb2", "Rx !=5 Rx | Rx !=4 Wx5 | Wx3 Wx4 | Ux9 !=3"),
	TEXT("wb3", "Rx !=6 Rx | Wx4 Wx6 | Wx3 Ux1 !=4 | Ux9 !=3"),
	TEXT("wb4", "Ux1 !=1 | Wx1 Ux1 !=9 Rx | Wx9"),
	TEXT("wb5", "Ux1 !=0 | Ux1 !=9 Rx | Wx9"),
	TEST("wcas", wcas, 2, 3, 4, 5, 6, 7),
	TEXT("wrc11_fp", "Wx1 | Wx2 Rx Rx"),
};

const size_t n_genmc_synthetic = COUNT_OF(genmc_synthetic);
