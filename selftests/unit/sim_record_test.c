// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that the user-space model leaves records like the module's: the same events in
 * the same order, which depend on nothing but the prefix, not on where memory is or
 * what ran before, and which traces and the look for deadlocks take as they are.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sim.h"
#include "../harness.h"

static struct sim_mutex a, b;

static void reset(void)
{
	memset(&a, 0, sizeof(a));
	memset(&b, 0, sizeof(b));
}

#define PROGRAM(body) { .name = #body, .reset = reset, .main = body }

static const struct sim_opts kernel = { .enabled = SIM_KERNEL, .unfair = true };
static const struct sim_opts chess = { .enabled = SIM_CHESS, .unfair = true };

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

static const struct sim_program abba_program = PROGRAM(abba);

TEST(opposite_lock_order_is_a_deadlock_with_one_preemption)
{
	enum sim_enabled enabled;

	for (enabled = SIM_KERNEL; enabled <= SIM_CHESS; enabled++) {
		struct chess_explore_opts o = { .sz = sizeof(o), .bound = 2 };
		const struct sim_opts how = { .enabled = enabled, .unfair = true };
		struct sim *s = sim_new(&abba_program, &how);
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
	struct chess_run_result res = sim_run_once(&abba_program, &kernel, "T0*2 T1*3 T0");

	expect_record(res.record, blocking, ARRAY_SIZE(blocking));
	EXPECT_EQ(CHESS_VERDICT_DEADLOCK, (int)res.verdict);
	chess_run_result_clear(&res);
	res = sim_run_once(&abba_program, &chess, "T0*2 T1*2");
	expect_record(res.record, as_in_chess, ARRAY_SIZE(as_in_chess));
	EXPECT_EQ(CHESS_VERDICT_DEADLOCK, (int)res.verdict);
	chess_run_result_clear(&res);
}

TEST(who_waits_for_whom_is_told_from_the_record)
{
	struct chess_run_result res = sim_run_once(&abba_program, &kernel, "T0*2 T1*3 T0");
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

static const struct sim_program two_nap_program = PROGRAM(two_nap);

TEST(a_trace_of_it_is_read_as_it_was_written)
{
	struct chess_run_result res = sim_run_once(&two_nap_program, &kernel, "T0*2 T1*3");
	char *argv[] = { "sim", NULL }, path[] = "/tmp/sim_record_test.XXXXXX";
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

static void nothing(void *arg)
{
	(void)arg;
}

static void crowd(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < many; i++)
		sim_create(nothing, NULL);
	for (i = 0; i < 1000; i++)
		sim_yield();
}

static void crowd_of(struct chess_executor *x, int n, struct chess_run_result *res)
{
	many = n;
	EXPECT_EQ(0, x->run(x->ctx, &(struct chess_plan) { 0 }, res));
	EXPECT_EQ(CHESS_VERDICT_OK, (int)res->verdict);
}

TEST(a_record_used_again_has_nothing_of_the_run_before)
{
	const struct sim_program p = PROGRAM(crowd);
	struct sim *s = sim_new(&p, &kernel);
	struct chess_executor x = sim_executor(s);
	struct chess_run_result res = { 0 };
	uint64_t hash;
	size_t i;

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
	struct sim *s = sim_new(&p, &kernel);
	struct chess_executor x = sim_executor(s);
	struct chess_plan plan = { .prefix = chess_schedule_decode("T0*3 T1"), .length = 4 };
	struct chess_run_result res = { 0 };
	uint64_t hash = 0;

	heap = malloc(2 * sizeof(*heap));
	while (times--) {
		first = times > 0;
		x.run(x.ctx, &plan, &res);
		hash = chess_record_hash(res.record);
		x.drop(x.ctx, &res);
	}
	chess_schedule_free(plan.prefix);
	sim_free(s);
	free(heap);
	return hash;
}

/* In a process of its own: see the next test. */
static void __attribute__((constructor)) print_hash(void)
{
	if (!getenv("SIM_RECORD_TEST_HASH"))
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
	setenv("SIM_RECORD_TEST_HASH", "1", 1);
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

TEST_HARNESS_MAIN
