// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves order_run() (selftests/simulator/order.h) on modelled programs: the schedule it finds
 * has the accesses in the order asked for, and it says how far it came where there is none.
 */
#include "harness.h"
#include "order.h"
#include "programs/programs.h"

static struct sim_var x;

static void reset(void)
{
	x.value = 0;
}

/* An access, a yield, an access. */
static void add_twice(void *arg)
{
	(void)arg;
	sim_add(&x, 1);
	sim_yield();
	sim_add(&x, 1);
}

static void two_tasks(void *arg)
{
	(void)arg;
	run_tasks(add_twice, 2);
}

static const struct sim_program adders = { .name = "adders", .reset = reset, .main = two_tasks };

/**
 * struct ordered - what came of an order
 * @made: accesses of it
 * @runs: that it took
 * @schedule: of the last run
 */
struct ordered {
	int made;
	unsigned int runs;
	char *schedule;
	struct chess_run_result res;
};

static struct ordered run_order(const struct sim_program *program, const char *text)
{
	const struct sim_opts opts = { .enabled = SIM_KERNEL };
	struct sim *sim = sim_new(program, &opts);
	const struct chess_executor executor = sim_executor(sim);
	struct chess_schedule *order = chess_schedule_decode(text), *all;
	struct ordered o;

	ASSERT_TRUE(order);
	o.made = order_run(&executor, order, &o.res, &o.runs);
	all = chess_record_schedule(o.res.record);
	o.schedule = chess_schedule_encode(all);
	chess_schedule_free(all);
	chess_schedule_free(order);
	sim_free(sim);
	return o;
}

static void clear(struct ordered *o)
{
	free(o->schedule);
	chess_run_result_clear(&o->res);
}

/*
 * T0 creates both, and waits at the join: three decisions. T2 begins, and makes its access:
 * two; it is left at its yield, for free. T1 begins, has two accesses and a yield, and ends:
 * five, as it is not left at its end, where that would be a preemption. T2's yield, access and
 * end: three. T0 goes on, joins the other, and ends: three.
 */
TEST(a_task_is_left_where_it_costs_least)
{
	struct ordered o = run_order(&adders, "T2 T1*2 T2");

	EXPECT_EQ(4, o.made);
	EXPECT_STREQ("T0*3 T2*2 T1*5 T2*3 T0*3 -", o.schedule);
	EXPECT_EQ(0, (int)chess_record_preemptions(o.res.record));
	clear(&o);
}

/* T1 has two accesses; a third one never comes. */
TEST(an_order_that_there_is_not_ends_where_it_does)
{
	struct ordered o = run_order(&adders, "T1*3");

	EXPECT_EQ(2, o.made);
	clear(&o);
}

TEST_HARNESS_MAIN
