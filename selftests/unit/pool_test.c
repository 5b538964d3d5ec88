// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that a search with several jobs is the search with one: on programs of the
 * user-space model the same runs come in the same order, whatever strategy asks for them
 * and however long each takes; no run is made twice, none beyond a limit; and what goes
 * wrong in a worker is reported.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/depend.h"
#include "internal.h"
#include "now.h"
#include "run/pack.h"
#include "race/racing.h"
#include "run_order.h"
#include "sim.h"
#include "../harness.h"

/* --- programs ------------------------------------------------------------ */

static struct sim_var x;
static struct sim_mutex a, b;

static void reset(void)
{
	x.value = 0;
	memset(&a, 0, sizeof(a));
	memset(&b, 0, sizeof(b));
}

static void write_x(void *arg)
{
	(void)arg;
	sim_store(&x, 1);
	sim_store(&x, 2);
}

/* Three tasks of independent lengths; no bug. */
static void writers(void *arg)
{
	sim_create(write_x, arg);
	sim_create(write_x, arg);
	sim_store(&x, 3);
}

static void lock_ba(void *arg)
{
	(void)arg;
	sim_lock(&b);
	sim_lock(&a);
	sim_unlock(&a);
	sim_unlock(&b);
}

/* Deadlock with one preemption. */
static void abba(void *arg)
{
	sim_create(write_x, arg);
	sim_create(lock_ba, arg);
	sim_lock(&a);
	sim_lock(&b);
	sim_unlock(&b);
	sim_unlock(&a);
}

/* Fails where T1 sees 1, which takes two preemptions: there and back. */
static void see_one(void *arg)
{
	(void)arg;
	sim_yield();
	sim_assert(sim_load(&x) != 1 || sim_load(&x) != 2);
}

static void twice(void *arg)
{
	sim_create(see_one, arg);
	write_x(arg);
}

static void (*const bodies[])(void *) = { writers, abba, twice };

/* --- executors ----------------------------------------------------------- */

/* What workers have done, in memory that they share with the test. */
struct shared {
	unsigned int runs, opened, closed;
	unsigned int now, most;		/* runs at the same time */
};

/**
 * struct bench - a program, and what is wrong with its executors
 * @shared: see there
 * @sim: of this process
 * @body: of T0
 * @nap_us: a run takes up to so long, by its plan
 * @die_at: the worker dies in this run
 * @stray_at: this run is reported not to have followed
 * @cut_at: this run is reported as incomplete
 */
struct bench {
	struct shared *shared;
	struct sim *sim;
	struct sim_program program;
	struct chess_executor x;
	unsigned int nap_us, die_at, stray_at, cut_at;
	bool stop;
};

static void nap(struct bench *t, uint64_t key)
{
	unsigned int now = __atomic_add_fetch(&t->shared->now, 1, __ATOMIC_RELAXED);
	unsigned int most = __atomic_load_n(&t->shared->most, __ATOMIC_RELAXED);

	while (now > most && !__atomic_compare_exchange_n(&t->shared->most, &most, now, false,
							  __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	usleep(key % t->nap_us);
	__atomic_sub_fetch(&t->shared->now, 1, __ATOMIC_RELAXED);
}

static int run_sim(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct bench *t = ctx;
	unsigned int number = __atomic_add_fetch(&t->shared->runs, 1, __ATOMIC_RELAXED);
	uint64_t key;
	int ret;

	if (number == t->die_at)
		_exit(3);
	if (chess_plan_key(plan, &key))
		return -ENOMEM;
	if (t->nap_us)
		nap(t, key);
	ret = t->x.run(t->x.ctx, plan, out);
	if (!ret && number == t->stray_at)
		out->verdict = CHESS_VERDICT_DIVERGED;
	if (!ret && number == t->cut_at) {
		out->verdict = CHESS_VERDICT_INCOMPLETE;
		chess_set_error(EOVERFLOW, "cut by the test");
	}
	return ret;
}

static int open_sim(void *arg, unsigned int worker, struct chess_executor *out)
{
	static const struct sim_opts how = { .enabled = SIM_KERNEL };
	struct bench *t = arg;

	(void)worker;
	__atomic_add_fetch(&t->shared->opened, 1, __ATOMIC_RELAXED);
	t->sim = sim_new(&t->program, &how);
	t->x = sim_executor(t->sim);
	*out = (struct chess_executor) { .run = run_sim, .ctx = t };
	return 0;
}

static void close_sim(void *arg, unsigned int worker)
{
	struct bench *t = arg;

	(void)worker;
	sim_free(t->sim);
	__atomic_add_fetch(&t->shared->closed, 1, __ATOMIC_RELAXED);
}

static int refuse(void *arg, unsigned int worker, struct chess_executor *out)
{
	(void)arg;
	(void)worker;
	(void)out;
	return chess_set_error(ENODEV, "there is no such machine");
}

static bool interrupted(void *arg)
{
	return ((struct bench *)arg)->stop;
}

static void bench_init(struct bench *t, void (*body)(void *arg))
{
	memset(t, 0, sizeof(*t));
	t->program = (struct sim_program) { .name = "test", .reset = reset, .main = body };
	t->shared = mmap(NULL, sizeof(*t->shared), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(t->shared != MAP_FAILED);
}

/* --- searches ------------------------------------------------------------ */

/* @jobs: 0 is without a pool. */
static struct run_order *search(struct bench *t, struct chess_explore_opts o, unsigned int jobs)
{
	struct chess_pool_opts po = {
		.sz = sizeof(po), .jobs = jobs, .open = open_sim, .close = close_sim,
		.interrupted = interrupted, .arg = t,
	};
	struct run_order *l = calloc(1, sizeof(*l));
	struct chess_executor logging = {
		.run = run_order_run, .ctx = l, .ahead = run_order_ahead,
	};
	struct chess_pool *pool = jobs ? chess_pool_new(&po) : NULL;

	ASSERT_TRUE(l && (pool || !jobs));
	memset(t->shared, 0, sizeof(*t->shared));
	if (pool)
		l->x = chess_pool_executor(pool);
	else
		open_sim(t, 0, &l->x);
	o.sz = sizeof(o);
	l->ret = chess_explore(&logging, &o, &l->res);
	chess_pool_free(pool);
	if (!jobs)
		close_sim(t, 0);
	/* Nobody is left. */
	EXPECT_EQ(-1, waitpid(-1, NULL, WNOHANG));
	EXPECT_EQ(ECHILD, errno);
	return l;
}

static void log_free(struct run_order *l)
{
	chess_explore_result_clear(&l->res);
	free(l);
}

/*
 * With and without going on after a bug. Where a search comes to its end the workers have
 * made as many runs as were asked for: none twice, and none that nobody wanted.
 */
static void compare_jobs(const char *strategy, unsigned int bound, uint64_t runs)
{
	static const unsigned int jobs[] = { 1, 2, 4 };
	size_t i, k;
	int go_on;

	for (i = 0; i < ARRAY_SIZE(bodies); i++)
		for (go_on = 0; go_on < 2; go_on++) {
			const struct chess_explore_opts o = {
				.strategy = strategy, .bound = bound, .max_runs = runs,
				.seed = 7, .keep_going = go_on,
			};
			struct bench t;
			struct run_order *one, *many;

			bench_init(&t, bodies[i]);
			one = search(&t, o, 0);
			EXPECT_EQ(0, one->ret);
			for (k = 0; k < ARRAY_SIZE(jobs); k++) {
				many = search(&t, o, jobs[k]);
				run_order_expect_same(one, many);
				if (one->res.complete) {
					EXPECT_EQ(one->n, t.shared->runs);
					EXPECT_EQ(t.shared->opened, t.shared->closed);
				}
				log_free(many);
			}
			log_free(one);
		}
}

TEST(icb_runs_the_same)
{
	unsigned int bound;

	for (bound = 0; bound < 4; bound++)
		compare_jobs("icb", bound, 0);
}

TEST(dfs_and_delay_run_the_same)
{
	compare_jobs("dfs", 0, 2000);
	compare_jobs("delay", 2, 0);
}

/* 1100 runs: those that learn do so in the first 1024. */
TEST(strategies_of_chance_run_the_same)
{
	compare_jobs("random", 0, 300);
	compare_jobs("pos", 0, 300);
	compare_jobs("pct", 0, 1100);
	compare_jobs("surw", 0, 1100);
	compare_jobs("rr", 0, 0);
}

TEST(speed_of_runs_makes_no_difference)
{
	const struct chess_explore_opts o = { .strategy = "icb", .bound = 2, .keep_going = true };
	struct run_order *one, *many;
	struct bench t;

	bench_init(&t, abba);
	one = search(&t, o, 0);
	t.nap_us = 3000;
	many = search(&t, o, 4);
	run_order_expect_same(one, many);
	EXPECT_EQ(one->n, t.shared->runs);
	log_free(one);
	log_free(many);
}

/*
 * The first ones, as many as the limit. Where the next run does not depend on those before
 * no other one is made; with icb a few are, for a run may bring up some that come first.
 */
TEST(exactly_so_many_runs_are_asked_for)
{
	static const char *const strategies[] = { "random", "rr", "icb" };
	unsigned int runs;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(strategies); i++)
		for (runs = 1; runs < 12; runs++) {
			const struct chess_explore_opts o = {
				.strategy = strategies[i], .bound = 2, .max_runs = runs,
			};
			struct run_order *one, *many;
			struct bench t;

			bench_init(&t, writers);
			one = search(&t, o, 0);
			many = search(&t, o, 4);
			run_order_expect_same(one, many);
			EXPECT_EQ(runs, many->res.runs);
			if (i < 2)
				EXPECT_EQ(runs, t.shared->runs);
			log_free(one);
			log_free(many);
		}
}

/* How long they take says nothing on a busy machine; how many there are at once does. */
TEST(runs_are_made_at_the_same_time)
{
	const struct chess_explore_opts o = { .strategy = "icb", .bound = 1 };
	struct bench t;

	bench_init(&t, writers);
	t.nap_us = 20000;
	log_free(search(&t, o, 1));
	EXPECT_EQ(1U, t.shared->most);
	log_free(search(&t, o, 4));
	EXPECT_LE(3U, t.shared->most);
	EXPECT_LE(t.shared->most, 4U);
}

/* Run 5 is reported to have strayed once: it is made again, and nothing is pruned. */
TEST(run_that_strayed_is_tried_again)
{
	const struct chess_explore_opts o = { .strategy = "icb", .bound = 2 };
	struct run_order *one, *many;
	struct bench t;

	bench_init(&t, writers);
	one = search(&t, o, 0);
	t.stray_at = 5;
	many = search(&t, o, 4);
	EXPECT_EQ(1U, many->res.retries);
	EXPECT_EQ(0U, many->res.diverged);
	EXPECT_TRUE(many->res.complete);
	EXPECT_EQ(one->res.runs, many->res.runs);
	EXPECT_EQ(one->n + 1, many->n);
	log_free(one);
	log_free(many);
}

TEST(why_a_run_is_incomplete_comes_with_it)
{
	struct bench t;
	struct run_order *l;

	bench_init(&t, writers);
	t.cut_at = 1;
	l = search(&t, (struct chess_explore_opts) { .strategy = "icb", .bound = 1 }, 2);
	EXPECT_TRUE(l->res.verdict == CHESS_VERDICT_INCOMPLETE);
	EXPECT_STREQ("cut by the test", l->res.why);
	log_free(l);
}

TEST(worker_that_dies_ends_the_search)
{
	struct bench t;
	struct run_order *l;

	bench_init(&t, writers);
	t.die_at = 4;
	l = search(&t, (struct chess_explore_opts) { .strategy = "icb", .bound = 2 }, 2);
	EXPECT_EQ(-EPIPE, l->ret);
	EXPECT_TRUE(strstr(chess_error(), "has ended"));
	log_free(l);
}

TEST(worker_that_cannot_begin_says_why)
{
	struct chess_pool_opts po = { .sz = sizeof(po), .jobs = 2, .open = refuse };
	struct chess_pool *pool = chess_pool_new(&po);
	struct chess_executor exec = chess_pool_executor(pool);
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 1 };
	struct chess_explore_result res;

	EXPECT_EQ(-ENODEV, chess_explore(&exec, &o, &res));
	EXPECT_STREQ("there is no such machine", chess_error());
	chess_pool_free(pool);
}

static bool stop_at_5(void *arg, const struct chess_explore_progress *p)
{
	((struct bench *)arg)->stop = p->runs >= 5;
	return true;
}

/* Runs that take up to a second do not hold up the end. */
TEST(interrupt_ends_the_search_with_what_it_has)
{
	double start = chess_now();
	struct bench t;
	struct run_order *l;

	bench_init(&t, writers);
	t.nap_us = 100000;
	l = search(&t, (struct chess_explore_opts) {
		.strategy = "icb", .bound = 2, .progress = stop_at_5, .progress_arg = &t,
	}, 4);
	EXPECT_EQ(0, l->ret);
	EXPECT_EQ(5U, l->res.runs);
	EXPECT_FALSE(l->res.complete);
	EXPECT_LT(chess_now() - start, 5.0);
	log_free(l);
}

/* --- bytes --------------------------------------------------------------- */

TEST(plan_comes_back_as_it_was)
{
	uint32_t changes[] = { 3, 9 }, weights[] = { 1, 0, 7 };
	struct chess_plan plan = {
		.prefix = chess_schedule_decode("T0*70000 T1 T4095*2"), .length = 70002,
		.policy = CHESS_POLICY_KIND_SURW, .seed = ~1ULL, .changes = changes,
		.n_changes = 2, .weights = weights, .n_weights = 3, .object_kind = 5,
		.object = 1ULL << 63,
	}, back = { 0 };
	struct chess_pack p = { 0 };
	struct chess_unpack u;
	uint64_t key, key_back;
	size_t cut;

	chess_pack_plan(&p, &plan);
	ASSERT_FALSE(p.failed);
	u = (struct chess_unpack) { .at = p.data, .left = p.n };
	ASSERT_EQ(0, chess_unpack_plan(&u, &back));
	EXPECT_EQ((size_t)0, u.left);
	EXPECT_EQ((size_t)70002, back.length);
	EXPECT_EQ(4095, chess_schedule_task(back.prefix, 70001));
	EXPECT_EQ(1, chess_schedule_task(back.prefix, 70000));
	EXPECT_EQ(plan.seed, back.seed);
	EXPECT_EQ(9U, back.changes[1]);
	EXPECT_EQ(7U, back.weights[2]);
	EXPECT_EQ(plan.object, back.object);
	chess_plan_key(&plan, &key);
	chess_plan_key(&back, &key_back);
	EXPECT_EQ(key, key_back);
	back.seed ^= 1;
	chess_plan_key(&back, &key_back);
	EXPECT_NE(key, key_back);
	chess_plan_clear(&back);
	for (cut = 0; cut < p.n; cut++) {
		u = (struct chess_unpack) { .at = p.data, .left = cut };
		EXPECT_NE(0, chess_unpack_plan(&u, &back));
	}
	free(p.data);
	chess_schedule_free(plan.prefix);
}

TEST(result_that_is_cut_is_refused)
{
	static const struct sim_program program = {
		.name = "test", .reset = reset, .main = abba,
	};
	struct sim_opts how = { .enabled = SIM_KERNEL };
	struct chess_run_result res = sim_run_once(&program, &how, "T0"), back;
	struct chess_pack p = { 0 };
	struct chess_unpack u;
	size_t cut;

	chess_pack_result(&p, &res);
	u = (struct chess_unpack) { .at = p.data, .left = p.n };
	ASSERT_EQ(0, chess_unpack_result(&u, &back));
	EXPECT_EQ((size_t)0, u.left);
	EXPECT_EQ(SIZE_MAX, chess_record_compare(res.record, back.record));
	EXPECT_EQ(chess_record_hash(res.record), chess_record_hash(back.record));
	EXPECT_EQ(chess_record_fair(res.record), chess_record_fair(back.record));
	EXPECT_EQ(chess_record_tasks(res.record), chess_record_tasks(back.record));
	EXPECT_EQ(res.diverged_at, back.diverged_at);
	chess_run_result_clear(&back);
	for (cut = 0; cut < p.n; cut++) {
		u = (struct chess_unpack) { .at = p.data, .left = cut };
		EXPECT_NE(0, chess_unpack_result(&u, &back));
	}
	free(p.data);
	chess_run_result_clear(&res);
}

TEST(accesses_come_back)
{
	struct chess_access two[2] = { { .address = 0x1000, .size = 4 }, { .address = 7 } };
	struct chess_run_result res = { .verdict = CHESS_VERDICT_OK }, back;
	struct chess_pack p = { 0 };
	struct chess_unpack u;
	size_t cut;

	res.record = chess_record_new();
	res.accesses = two;
	res.n_accesses = 2;
	res.lost_accesses = 9;
	chess_pack_result(&p, &res);
	u = (struct chess_unpack) { .at = p.data, .left = p.n };
	ASSERT_EQ(0, chess_unpack_result(&u, &back));
	EXPECT_EQ((size_t)0, u.left);
	EXPECT_EQ(CHESS_VERDICT_OK, (int)back.verdict);
	EXPECT_EQ(2UL, (unsigned long)back.n_accesses);
	EXPECT_EQ(9UL, (unsigned long)back.lost_accesses);
	EXPECT_EQ(0, memcmp(two, back.accesses, sizeof(two)));
	chess_run_result_clear(&back);
	for (cut = 0; cut < p.n; cut++) {
		u = (struct chess_unpack) { .at = p.data, .left = cut };
		EXPECT_NE(0, chess_unpack_result(&u, &back));
	}
	free(p.data);
	chess_record_free(res.record);
}

/* In place of accesses, where they were looked at. */
TEST(races_come_back)
{
	struct chess_access two[2] = { { .address = 0x1000, .size = 4 }, { .address = 7 } };
	struct chess_racing_pair pair[2] = {
		{ .first = two[0], .second = two[1], .address = 0x1000, .size = 4 },
		{ .first = two[1], .second = two[0], .beside_atomic = true },
	};
	uint32_t site[] = { 5, 9 };
	struct chess_run_races races = {
		.accesses = 2, .trapped = 1, .lost = 9, .forgotten = 8, .dropped = 7,
		.pair = pair, .n_pairs = 2, .site = site, .n_sites = 2,
	};
	struct chess_run_result res = {
		.verdict = CHESS_VERDICT_ASSERT, .accesses = two, .n_accesses = 2, .races = &races,
	}, back;
	struct chess_pack p = { 0 };
	struct chess_unpack u;
	size_t cut;

	res.record = chess_record_new();
	chess_pack_result(&p, &res);
	u = (struct chess_unpack) { .at = p.data, .left = p.n };
	ASSERT_EQ(0, chess_unpack_result(&u, &back));
	EXPECT_EQ((size_t)0, u.left);
	EXPECT_EQ(CHESS_VERDICT_ASSERT, (int)back.verdict);
	EXPECT_EQ((size_t)0, back.n_accesses);
	ASSERT_TRUE(back.races);
	EXPECT_EQ((uint64_t)2, back.races->accesses);
	EXPECT_EQ((uint64_t)1, back.races->trapped);
	EXPECT_EQ((uint64_t)9, back.races->lost);
	EXPECT_EQ((uint64_t)8, back.races->forgotten);
	EXPECT_EQ((uint64_t)7, back.races->dropped);
	ASSERT_EQ((size_t)2, back.races->n_pairs);
	EXPECT_EQ(0, memcmp(pair, back.races->pair, sizeof(pair)));
	ASSERT_EQ((size_t)2, back.races->n_sites);
	EXPECT_EQ(0, memcmp(site, back.races->site, sizeof(site)));
	chess_run_result_clear(&back);
	for (cut = 0; cut < p.n; cut++) {
		u = (struct chess_unpack) { .at = p.data, .left = cut };
		EXPECT_NE(0, chess_unpack_result(&u, &back));
	}
	free(p.data);
	chess_record_free(res.record);
}

static uint32_t device_of(int fd)
{
	struct stat st;

	return fd < 0 || fstat(fd, &st) ? 0 : st.st_dev;
}

/*
 * What a record says of objects leaves the machine as one bit each: do ops on the inode
 * concern no other one? Reductions go by that, so it must be what it was. And it is so a
 * second time: a journal's results come from workers.
 */
TEST(objects_stay_plain_or_not)
{
	int pipes[2], sock = socket(AF_UNIX, SOCK_STREAM, 0);
	struct chess_run_result res = { .record = chess_record_new() }, back, again;
	struct chess_object_name names[4] = { 0 };
	struct chess_pack p = { 0 }, p2 = { 0 };
	struct chess_unpack u;
	size_t i, cut;

	ASSERT_EQ(0, pipe(pipes));
	names[0] = (struct chess_object_name){ .ino = 7, .dev = device_of(pipes[0]) };
	names[1] = (struct chess_object_name){ .ino = 8, .dev = device_of(sock) };
	/* A process or a user, not an inode. */
	names[2] = (struct chess_object_name){ .ino = 9, .dev = UINT32_MAX, .generation = 2 };
	names[3] = (struct chess_object_name){ .ino = 10, .dev = device_of(pipes[1]) };
	ASSERT_TRUE(names[0].dev && names[1].dev && names[0].dev != names[1].dev);
	ASSERT_EQ(0, chess_record_set_objects(res.record, names, sizeof(names)));
	chess_pack_result(&p, &res);
	u = (struct chess_unpack) { .at = p.data, .left = p.n };
	ASSERT_EQ(0, chess_unpack_result(&u, &back));
	EXPECT_EQ((size_t)0, u.left);
	for (i = 1; i <= 4; i++)
		EXPECT_EQ(chess_is_plain_device(chess_record_object_dev(res.record, i)),
			  chess_is_plain_device(chess_record_object_dev(back.record, i)));
	EXPECT_TRUE(chess_is_plain_device(chess_record_object_dev(back.record, 4)));
	EXPECT_FALSE(chess_is_plain_device(chess_record_object_dev(back.record, 2)));
	EXPECT_EQ(0UL, chess_record_object_dev(back.record, 5));
	/* Which pipe it is, nobody knows. */
	EXPECT_EQ(0U, chess_record_object(back.record, names[0].dev, 7));
	chess_pack_result(&p2, &back);
	ASSERT_EQ(p.n, p2.n);
	EXPECT_EQ(0, memcmp(p.data, p2.data, p.n));
	u = (struct chess_unpack) { .at = p2.data, .left = p2.n };
	ASSERT_EQ(0, chess_unpack_result(&u, &again));
	chess_run_result_clear(&again);
	chess_run_result_clear(&back);
	for (cut = 0; cut < p.n; cut++) {
		u = (struct chess_unpack) { .at = p.data, .left = cut };
		EXPECT_NE(0, chess_unpack_result(&u, &back));
	}
	/* A number of objects that cannot be. */
	memset(p.data + p.n - 5 * sizeof(uint32_t), 0xff, sizeof(uint32_t));
	u = (struct chess_unpack) { .at = p.data, .left = p.n };
	EXPECT_NE(0, chess_unpack_result(&u, &back));
	free(p.data);
	free(p2.data);
	close(sock);
	close(pipes[0]);
	close(pipes[1]);
	chess_run_result_clear(&res);
}

TEST(states_come_back)
{
	struct chess_run_result res = { .record = chess_record_new() }, back;
	const uint64_t states[] = { 7, 0, 1ULL << 63 };
	struct chess_pack p = { 0 };
	struct chess_unpack u;
	uint64_t state;
	size_t i, cut;

	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, chess_record_push_state(res.record, states[i]));
	chess_record_set_fair(res.record, 2);
	chess_pack_result(&p, &res);
	u = (struct chess_unpack) { .at = p.data, .left = p.n };
	ASSERT_EQ(0, chess_unpack_result(&u, &back));
	EXPECT_EQ(2U, chess_record_fair(back.record));
	for (i = 0; i < 3; i++) {
		ASSERT_TRUE(chess_record_state(back.record, i, &state));
		EXPECT_EQ(states[i], state);
	}
	EXPECT_FALSE(chess_record_state(back.record, 3, &state));
	chess_run_result_clear(&back);
	for (cut = 0; cut < p.n; cut++) {
		u = (struct chess_unpack) { .at = p.data, .left = cut };
		EXPECT_NE(0, chess_unpack_result(&u, &back));
	}
	free(p.data);
	chess_run_result_clear(&res);
}

TEST_HARNESS_MAIN
