// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that a run of the user-space model is a run as the library knows it: how many
 * schedules small programs have, derived by hand; that the record is the one the module
 * would leave and depends on nothing but the prefix, not on where memory is; and that
 * verdicts, traces and the search for deadlocks take it as it is.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "internal.h"
#include "sim.h"
#include "verdict.h"
#include "../harness.h"

static struct sim_mutex a, b;
static struct sim_var v;
static struct sim_sem sem;

static void reset(void)
{
	memset(&a, 0, sizeof(a));
	memset(&b, 0, sizeof(b));
	memset(&v, 0, sizeof(v));
	memset(&sem, 0, sizeof(sem));
}

#define PROGRAM(body) { .name = #body, .reset = reset, .main = body }

static struct chess_run_result run_with(void (*body)(void *arg), const struct sim_opts *how,
					const char *schedule)
{
	const struct sim_program p = PROGRAM(body);
	struct chess_schedule *prefix = chess_schedule_decode(schedule);
	struct sim *s = sim_new(&p, how);
	struct chess_executor x = sim_executor(s);
	struct chess_run_result res = { 0 };

	EXPECT_EQ(0, x.run(x.ctx, prefix, chess_schedule_length(prefix), &res));
	chess_schedule_free(prefix);
	sim_free(s);
	return res;
}

static struct chess_run_result run_as(enum sim_enabled enabled, void (*body)(void *arg),
				      const char *schedule)
{
	const struct sim_opts how = { .enabled = enabled };

	return run_with(body, &how, schedule);
}

static uint64_t count_runs(enum sim_enabled enabled, void (*body)(void *arg), unsigned int bound)
{
	const struct sim_program p = PROGRAM(body);
	const struct sim_opts how = { .enabled = enabled };
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = bound, .keep_going = true };
	struct sim *s = sim_new(&p, &how);
	struct chess_executor x = sim_executor(s);
	struct chess_explore_result res;
	uint64_t runs;

	ASSERT_EQ(0, chess_explore(&x, &o, &res));
	EXPECT_TRUE(res.complete);
	runs = res.runs;
	chess_explore_result_clear(&res);
	sim_free(s);
	return runs;
}

static int steps;

static void step(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < steps; i++)
		sim_add(&v, 1);
}

static void two_step(void *arg)
{
	sim_create(step, NULL);
	step(arg);
}

static uint64_t choose(uint64_t n, uint64_t k)
{
	uint64_t i, c = 1;

	for (i = 1; i <= k; i++)
		c = c * (n - k + i) / i;
	return k > n ? 0 : c;
}

/*
 * Each task has a point for each step and one at its end; at T0's creation of T1 there
 * is nobody else. T0 is left at ceil(c/2) of its points and T1 at floor(c/2) of its own.
 */
TEST(two_independent_tasks_have_as_many_schedules_as_the_closed_form_says)
{
	for (steps = 0; steps <= 3; steps++) {
		unsigned int n = steps + 1, c;
		uint64_t want = 0;

		for (c = 0; c <= 4; c++) {
			want += choose(n, (c + 1) / 2) * choose(n, c / 2);
			EXPECT_EQ(want, count_runs(SIM_KERNEL, two_step, c));
			EXPECT_EQ(want, count_runs(SIM_CHESS, two_step, c));
		}
	}
}

static void four(void *arg)
{
	(void)arg;
	sim_create(step, NULL);
	sim_create(step, NULL);
	sim_create(step, NULL);
}

/* Whoever ends is followed by anybody: 3! orders of T1, T2 and T3. */
TEST(ends_are_free_branches)
{
	steps = 1;
	EXPECT_EQ((uint64_t)6, count_runs(SIM_KERNEL, four, 0));
	EXPECT_EQ((uint64_t)6, count_runs(SIM_CHESS, four, 0));
}

static void lock_once(void *arg)
{
	(void)arg;
	sim_lock(&a);
	sim_unlock(&a);
}

static void two_lock(void *arg)
{
	sim_create(lock_once, NULL);
	lock_once(arg);
}

/*
 * Both tasks have the points lock, unlock, end. With no preemption T0 runs to its end,
 * then T1. With one, T0 is left at one of its three: 3 more. With two
 *  - left at lock, T1 is left at lock, unlock or end. Blocking, that makes 3: at unlock
 *    T0 runs into the mutex and T1 goes on for free. In CHESS's sense 2: T0 is not
 *    enabled while T1 has the mutex;
 *  - left at unlock, T1 is at lock. Blocking it may be left there, or run into the mutex,
 *    and T0, which gives it back, is left at its end: 2. In CHESS's sense T1 at lock is
 *    not enabled, to go back to T0 is free, and T0 is left at its end: 1;
 *  - left at its end, T1 is left at any of its three: 3.
 * So 8 more, and 6 in CHESS's sense.
 */
TEST(a_mutex_has_as_many_schedules_as_derived)
{
	EXPECT_EQ((uint64_t)1, count_runs(SIM_KERNEL, two_lock, 0));
	EXPECT_EQ((uint64_t)1 + 3, count_runs(SIM_KERNEL, two_lock, 1));
	EXPECT_EQ((uint64_t)1 + 3 + 8, count_runs(SIM_KERNEL, two_lock, 2));
	EXPECT_EQ((uint64_t)1, count_runs(SIM_CHESS, two_lock, 0));
	EXPECT_EQ((uint64_t)1 + 3, count_runs(SIM_CHESS, two_lock, 1));
	EXPECT_EQ((uint64_t)1 + 3 + 6, count_runs(SIM_CHESS, two_lock, 2));
}

static void ba(void *arg)
{
	(void)arg;
	sim_lock(&b);
	sim_lock(&a);
	sim_unlock(&a);
	sim_unlock(&b);
}

static void abba(void *arg)
{
	int t;

	(void)arg;
	t = sim_create(ba, NULL);
	sim_lock(&a);
	sim_lock(&b);
	sim_unlock(&b);
	sim_unlock(&a);
	sim_join(t);
}

TEST(opposite_lock_order_is_a_deadlock_with_one_preemption)
{
	const struct sim_program p = PROGRAM(abba);
	enum sim_enabled enabled;

	for (enabled = SIM_KERNEL; enabled <= SIM_CHESS; enabled++) {
		struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2 };
		const struct sim_opts how = { .enabled = enabled };
		struct sim *s = sim_new(&p, &how);
		struct chess_executor x = sim_executor(s);
		struct chess_explore_result res;

		ASSERT_EQ(0, chess_explore(&x, &o, &res));
		EXPECT_EQ(CHESS_VERDICT_DEADLOCK, (int)res.verdict);
		EXPECT_EQ(1u, res.bound);
		EXPECT_EQ((size_t)1, chess_record_preemptions(res.bad.record));
		chess_explore_result_clear(&res);
		sim_free(s);
	}
}

/* What of an event is no address. */
struct outline {
	uint8_t type, op, flags;
	uint16_t task, chosen;
	uint64_t enabled;
};

#define NONE	CHESS_TASK_NONE
#define LOCK	(CHESS_OPF_WRITE | CHESS_OPF_MAY_BLOCK | CHESS_OPF_PROBE)
#define CREATE	(CHESS_OPF_WRITE | CHESS_OPF_RELEASE | CHESS_OPF_PROBE)
#define ALONE	CHESS_OPF_ALONE

static void expect_record(const struct chess_record *r, const struct outline *want, size_t n)
{
	size_t i;

	ASSERT_EQ(n, chess_record_length(r));
	for (i = 0; i < n; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		EXPECT_EQ(i + 1, (size_t)e->seq);
		EXPECT_EQ(want[i].type, e->type);
		EXPECT_EQ(want[i].op, e->op);
		EXPECT_EQ(want[i].flags, e->flags);
		EXPECT_EQ(want[i].task, e->task);
		EXPECT_EQ(want[i].chosen, e->chosen);
		EXPECT_EQ(want[i].enabled, e->enabled);
	}
}

/* From the creation on these are the events that the module records of
 * selftests/programs/wrong/abba.c.
 */
static const struct outline blocking[] = {
	{ CHESS_EVENT_POINT, CHESS_OP_CREATE, CREATE | ALONE, 0, 0, 1 },
	{ CHESS_EVENT_SPAWN, 0, 0, 0, NONE, 0 },
	{ CHESS_EVENT_POINT, CHESS_OP_LOCK, LOCK, 0, 0, 3 },
	{ CHESS_EVENT_POINT, CHESS_OP_LOCK, LOCK, 0, 1, 3 },
	{ CHESS_EVENT_POINT, CHESS_OP_LOCK, LOCK, 1, 1, 3 },
	{ CHESS_EVENT_POINT, CHESS_OP_LOCK, LOCK, 1, 1, 3 },
	{ CHESS_EVENT_BLOCK, 0, ALONE, 1, 0, 1 },
	{ CHESS_EVENT_BLOCK, 0, 0, 0, NONE, 0 },
};

/* T0 at its second lock is enabled until T1 has taken that mutex. */
static const struct outline as_in_chess[] = {
	{ CHESS_EVENT_POINT, CHESS_OP_CREATE, CREATE | ALONE, 0, 0, 1 },
	{ CHESS_EVENT_SPAWN, 0, 0, 0, NONE, 0 },
	{ CHESS_EVENT_POINT, CHESS_OP_LOCK, LOCK, 0, 0, 3 },
	{ CHESS_EVENT_POINT, CHESS_OP_LOCK, LOCK, 0, 1, 3 },
	{ CHESS_EVENT_POINT, CHESS_OP_LOCK, LOCK, 1, 1, 3 },
	{ CHESS_EVENT_POINT, CHESS_OP_LOCK, LOCK, 1, NONE, 0 },
};

TEST(the_record_is_the_modules)
{
	struct chess_run_result res = run_as(SIM_KERNEL, abba, "T0*2 T1*3 T0");

	expect_record(res.record, blocking, ARRAY_SIZE(blocking));
	EXPECT_EQ(CHESS_VERDICT_DEADLOCK, (int)res.verdict);
	chess_run_result_clear(&res);
	res = run_as(SIM_CHESS, abba, "T0*2 T1*2");
	expect_record(res.record, as_in_chess, ARRAY_SIZE(as_in_chess));
	EXPECT_EQ(CHESS_VERDICT_DEADLOCK, (int)res.verdict);
	chess_run_result_clear(&res);
}

TEST(who_waits_for_whom_is_told_from_the_record)
{
	struct chess_run_result res = run_as(SIM_KERNEL, abba, "T0*2 T1*3 T0");
	struct chess_wait *waits;
	size_t n = 0, cycle[2];

	ASSERT_EQ(0, chess_waits_at(res.record, chess_record_length(res.record), &waits, &n));
	ASSERT_EQ((size_t)2, n);
	EXPECT_EQ((size_t)2, chess_waits_cycle(waits, n, cycle));
	chess_waits_free(waits, n);
	chess_run_result_clear(&res);
}

static void nap(void *arg)
{
	(void)arg;
	sim_sleep(1000000);
}

static void two_nap(void *arg)
{
	sim_create(nap, NULL);
	nap(arg);
}

/*
 * A sleep is a yield, so T1 comes to its own before T0 sleeps, and T0 before T1 does.
 * Both deadlines are equal: that of the lower id is first. T1's before it costs a
 * preemption, and so does one while somebody is enabled.
 */
TEST(deadlines_pass_in_their_order_or_cost)
{
	struct chess_run_result res = run_as(SIM_KERNEL, two_nap, "");
	const struct chess_event *e;
	size_t i, timeouts = 0;

	EXPECT_EQ((size_t)0, chess_record_preemptions(res.record));
	for (i = 0; i < chess_record_length(res.record); i++) {
		e = chess_record_event(res.record, i);
		if (e->type == CHESS_EVENT_TIMEOUT)
			EXPECT_EQ(timeouts++, (size_t)e->task);
	}
	EXPECT_EQ((size_t)2, timeouts);
	chess_run_result_clear(&res);
	/* create, T0 at its sleep, T1 at its sleep, T0 blocks, T1 blocks */
	res = run_as(SIM_KERNEL, two_nap, "T0 T1 T0 T1*2");
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.verdict);
	EXPECT_EQ((size_t)1, chess_record_preemptions(res.record));
	chess_run_result_clear(&res);
	/* create, T0 at its sleep, where T1 has its turn, T0 blocks */
	res = run_as(SIM_KERNEL, two_nap, "T0*3");
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.verdict);
	EXPECT_TRUE(chess_record_event(res.record, 3)->flags & CHESS_OPF_EARLY);
	EXPECT_EQ((size_t)2, chess_record_preemptions(res.record));
	chess_run_result_clear(&res);
}

TEST(a_prefix_that_cannot_be_followed_is_told)
{
	struct chess_run_result res = run_as(SIM_KERNEL, two_lock, "T0*2 T2");

	EXPECT_EQ(CHESS_VERDICT_DIVERGED, (int)res.verdict);
	EXPECT_EQ((size_t)2, res.diverged_at);
	chess_run_result_clear(&res);
	/* 4 points of T0 and its end, 3 of T1: one decision more than there is */
	res = run_as(SIM_KERNEL, two_lock, "T0*4 T1*4");
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.verdict);
	EXPECT_EQ((size_t)SIZE_MAX, res.diverged_at);
	chess_run_result_clear(&res);
	res = run_as(SIM_KERNEL, two_lock, "T0*4 T1*5");
	EXPECT_EQ(CHESS_VERDICT_DIVERGED, (int)res.verdict);
	EXPECT_EQ((size_t)8, res.diverged_at);
	chess_run_result_clear(&res);
}

static void spin(void *arg)
{
	(void)arg;
	while (!sim_load(&v))
		sim_yield();
}

TEST(a_run_that_goes_on_and_on_is_cut)
{
	struct sim_opts how = { .max_points = 50 };
	struct chess_run_result res = run_with(spin, &how, "");

	EXPECT_EQ(CHESS_VERDICT_LIVELOCK, (int)res.verdict);
	EXPECT_EQ((size_t)50, chess_record_points(res.record));
	chess_run_result_clear(&res);
	how.cut_is_end = true;
	res = run_with(spin, &how, "");
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.verdict);
	EXPECT_EQ((size_t)50, chess_record_points(res.record));
	chess_run_result_clear(&res);
	how.cut_is_end = false;
	how.unfair = true;
	res = run_with(spin, &how, "");
	EXPECT_EQ(CHESS_VERDICT_INCOMPLETE, (int)res.verdict);
	chess_run_result_clear(&res);
	how = (struct sim_opts){ 0 };
	res = run_with(spin, &how, "");
	EXPECT_EQ((size_t)20000, chess_record_points(res.record));
	chess_run_result_clear(&res);
}

static void fails(void *arg)
{
	sim_create(nap, arg);
	sim_assert(false);
}

static void leaves(void *arg)
{
	sim_create(nap, arg);
	sim_exit(7);
}

/* The verdict is what the library's judge makes of the same facts. */
TEST(verdicts_are_those_of_the_judge)
{
	static const struct {
		void (*body)(void *arg);
		const char *prefix;
		enum chess_verdict verdict;
	} cases[] = {
		{ fails, "", CHESS_VERDICT_ASSERT }, { leaves, "", CHESS_VERDICT_EXIT },
		{ two_lock, "", CHESS_VERDICT_OK }, { two_lock, "T1", CHESS_VERDICT_DIVERGED },
		{ two_lock, "T0*100", CHESS_VERDICT_DIVERGED },
		{ abba, "T0*2 T1*3 T0", CHESS_VERDICT_DEADLOCK },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct chess_run_result res = run_as(SIM_KERNEL, cases[i].body, cases[i].prefix);
		struct chess_schedule *prefix = chess_schedule_decode(cases[i].prefix);
		struct chess_facts facts = {
			.status = res.status, .record = res.record,
			.length = chess_schedule_length(prefix),
			.deadlock = res.verdict == CHESS_VERDICT_DEADLOCK,
			.diverged = cases[i].verdict == CHESS_VERDICT_DIVERGED,
		};
		struct chess_judgement judged;

		chess_verdict_judge(&facts, &judged);
		EXPECT_EQ((int)cases[i].verdict, (int)res.verdict);
		EXPECT_EQ((int)judged.verdict, (int)res.verdict);
		EXPECT_EQ(judged.bad_task, res.bad_task);
		EXPECT_EQ(judged.diverged_at, res.diverged_at);
		chess_schedule_free(prefix);
		chess_run_result_clear(&res);
	}
}

TEST(a_trace_of_it_is_read_as_it_was_written)
{
	struct chess_run_result res = run_as(SIM_KERNEL, two_nap, "T0*2 T1*3");
	char *argv[] = { "sim", NULL }, path[] = "/tmp/sim_run_test.XXXXXX";
	struct chess_trace t = {
		.argv = argv, .verdict = res.verdict, .record = res.record, .virtual_time = true,
	}, *back;
	int fd = mkstemp(path);

	ASSERT_LE(0, fd);
	close(fd);
	EXPECT_EQ(0, chess_trace_write(&t, path));
	back = chess_trace_read(path);
	unlink(path);
	ASSERT_NE(NULL, (void *)back);
	EXPECT_EQ(chess_record_hash(res.record), chess_record_hash(back->record));
	chess_trace_free(back);
	chess_run_result_clear(&res);
}

static int many;

static void crowd(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < many; i++)
		sim_create(step, NULL);
}

TEST(there_can_be_many_tasks)
{
	struct chess_run_result res;

	many = 999;
	steps = 1;
	res = run_as(SIM_KERNEL, crowd, "");
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res.verdict);
	EXPECT_EQ((size_t)1000, chess_record_tasks(res.record));
	/* T0: creations and its end; the others two points each */
	EXPECT_EQ((size_t)1000 + 2 * 999, chess_record_points(res.record));
	chess_run_result_clear(&res);
}

static void crowd_of(struct chess_executor *x, int n, struct chess_run_result *res)
{
	many = n;
	EXPECT_EQ(0, x->run(x->ctx, NULL, 0, res));
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res->verdict);
}

TEST(a_record_used_again_has_nothing_of_the_run_before)
{
	const struct sim_program p = PROGRAM(crowd);
	const struct sim_opts how = { .enabled = SIM_KERNEL };
	struct sim *s = sim_new(&p, &how);
	struct chess_executor x = sim_executor(s);
	struct chess_run_result res = { 0 };
	uint64_t hash;
	size_t i;

	steps = 100;
	crowd_of(&x, 2, &res);
	hash = chess_record_hash(res.record);
	x.drop(x.ctx, &res);
	crowd_of(&x, 100, &res);
	x.drop(x.ctx, &res);
	crowd_of(&x, 2, &res);
	EXPECT_EQ(hash, chess_record_hash(res.record));
	EXPECT_EQ((size_t)3, chess_record_tasks(res.record));
	for (i = 0; i < chess_record_length(res.record); i++)
		EXPECT_FALSE(chess_record_enabled(res.record, i, 80));
	chess_run_result_clear(&res);
	sim_free(s);
}

static struct sim_mutex *heap;
static int first;

static void borrow(void *arg)
{
	struct sim_mutex *stack = arg;
	int i;

	sim_lock(stack);
	sim_unlock(stack);
	for (i = 0; i < 2; i++) {
		sim_lock(&heap[i ^ first]);
		sim_unlock(&heap[i ^ first]);
	}
	sim_lock(&a);
	sim_unlock(&a);
}

static void lend(void *arg)
{
	struct sim_mutex stack = { 0 };
	int t = sim_create(borrow, &stack);

	(void)arg;
	memset(heap, 0, 2 * sizeof(*heap));
	borrow(&stack);
	sim_timedlock(&a);
	sim_join(t);
}

/* Of the last of so many runs; those before it use two objects the other way round. */
static uint64_t hash_runs(unsigned int times)
{
	const struct sim_program p = PROGRAM(lend);
	const struct sim_opts how = { .enabled = SIM_KERNEL };
	struct sim *s = sim_new(&p, &how);
	struct chess_executor x = sim_executor(s);
	struct chess_schedule *prefix = chess_schedule_decode("T0*3 T1");
	struct chess_run_result res = { 0 };
	uint64_t hash = 0;

	heap = malloc(2 * sizeof(*heap));
	while (times--) {
		first = times > 0;
		x.run(x.ctx, prefix, chess_schedule_length(prefix), &res);
		hash = chess_record_hash(res.record);
		x.drop(x.ctx, &res);
	}
	chess_schedule_free(prefix);
	sim_free(s);
	free(heap);
	return hash;
}

/* In a process of its own: see the next test. */
static void __attribute__((constructor)) print_hash(void)
{
	if (!getenv("SIM_RUN_TEST_HASH"))
		return;
	printf("%p %llx\n", (void *)&a, (unsigned long long)hash_runs(1));
	exit(0);
}

TEST(the_record_does_not_depend_on_the_process)
{
	unsigned long long hash = hash_runs(1);
	char line[3][64] = { "" };
	int i;

	EXPECT_EQ(hash, (unsigned long long)hash_runs(5));
	setenv("SIM_RUN_TEST_HASH", "1", 1);
	for (i = 0; i < 3; i++) {
		unsigned long long seen = 0;
		FILE *f;

		/* the stack and the heap begin elsewhere besides */
		setenv("PADDING", i ? line[i - 1] : "", 1);
		f = popen("exec /proc/$PPID/exe", "r");
		ASSERT_NE(NULL, (void *)f);
		ASSERT_NE(NULL, (void *)fgets(line[i], sizeof(line[i]), f));
		pclose(f);
		ASSERT_EQ(1, sscanf(line[i], "%*s %llx", &seen));
		EXPECT_EQ(hash, seen);
	}
	/* Where addresses are not random this shows less than it could. */
	if (!strcmp(line[0], line[1]) && !strcmp(line[1], line[2]))
		printf("# the program was loaded at the same address each time\n");
}

static uint64_t visited;

static uint64_t value_of_v(void)
{
	return v.value;
}

static void visit(void *arg, uint64_t state)
{
	EXPECT_EQ(&visited, (uint64_t *)arg);
	visited = visited * 10 + state;
}

/* T0: two additions, end, each a decision, and EXIT. */
TEST(states_are_told_at_each_decision)
{
	const struct sim_program p = { .reset = reset, .main = step, .state = value_of_v };
	const struct sim_opts how = { .visit = visit, .arg = &visited };
	struct chess_run_result res = { 0 };
	struct sim *s = sim_new(&p, &how);
	struct chess_executor x = sim_executor(s);

	steps = 2;
	ASSERT_EQ(0, x.run(x.ctx, NULL, 0, &res));
	EXPECT_EQ((uint64_t)122, visited);
	chess_run_result_clear(&res);
	sim_free(s);
}

/* A hundred thousand runs of a program whose next level grows all the time: memory of
 * a run is used again, and a prefix that waits takes little.
 */
TEST(memory_stays_small)
{
	const struct sim_program p = PROGRAM(four);
	const struct sim_opts how = { .enabled = SIM_KERNEL };
	struct chess_explore_opts o = { .sz = sizeof(o), .bound = 9, .max_runs = 100000 };
	struct sim *s = sim_new(&p, &how);
	struct chess_executor x = sim_executor(s);
	struct chess_explore_result res;
	struct rusage usage;

	steps = 6;
	ASSERT_EQ(0, chess_explore(&x, &o, &res));
	EXPECT_EQ((uint64_t)100000, res.runs);
	getrusage(RUSAGE_SELF, &usage);
	EXPECT_LT(usage.ru_maxrss, 40L * 1024);
	chess_explore_result_clear(&res);
	sim_free(s);
}

TEST_HARNESS_MAIN
