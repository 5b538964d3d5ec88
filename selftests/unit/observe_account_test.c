// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what attach --observe works out of what was seen: the words for a wait and the symbol
 * of its address, which task each one of a cycle waits for, and that only futexes and locks
 * have an address. Tasks and objects are made by hand, as if seen in this process, whose
 * variables they name. Text and JSON of --observe only write what is tested here.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../cli/attach/observe.h"
#include "../cli/attach/observe_account.h"
#include "harness.h"

int observed_variable[4] = { 1 };

static uint64_t variable(unsigned int i)
{
	return (uintptr_t)&observed_variable[i];
}

TEST(words_for_a_wait)
{
	struct chess_live_task t = { .tgid = getpid(), .call = "futex" };
	struct names *n = names_new();
	struct observed_wait w;

	t.address = variable(2);
	w = observed_task_wait(n, &t);
	EXPECT_EQ(0, strcmp("futex observed_variable+0x8", w.what));
	EXPECT_EQ(0, strcmp("observed_variable+0x8", w.symbol));
	EXPECT_FALSE(w.thread);
	observed_wait_clear(&w);
	t.lock = "mutex";
	w = observed_task_wait(n, &t);
	EXPECT_EQ(0, strcmp("mutex observed_variable+0x8", w.what));
	observed_wait_clear(&w);
	/* The word that a thread clears at its end is nobody's variable. */
	t.lock = "thread";
	w = observed_task_wait(n, &t);
	EXPECT_EQ(0, strcmp("the end of a thread", w.what));
	EXPECT_TRUE(w.thread);
	observed_wait_clear(&w);
	t = (struct chess_live_task){ .tgid = getpid(), .call = "read fd 3 pipe:[12]" };
	w = observed_task_wait(n, &t);
	EXPECT_EQ(0, strcmp("read fd 3 pipe:[12]", w.what));
	EXPECT_TRUE(!w.symbol);
	observed_wait_clear(&w);
	/* It runs. */
	t.call = NULL;
	w = observed_task_wait(n, &t);
	EXPECT_TRUE(!w.what);
	observed_wait_clear(&w);
	observed_wait_clear(&w);
	names_free(n);
}

/* The word of another call is a descriptor. */
TEST(address_of_an_object)
{
	struct chess_live_object o = { .tgid = getpid(), .text = "futex" };
	struct names *n = names_new();
	struct observed_wait w;

	o.word = variable(0);
	w = observed_object_wait(n, &o);
	EXPECT_EQ(variable(0), w.address);
	EXPECT_EQ(0, strcmp("futex observed_variable", w.what));
	observed_wait_clear(&w);
	o.text = "read pipe:[12]";
	w = observed_object_wait(n, &o);
	EXPECT_EQ(0, (int)w.address);
	EXPECT_TRUE(!w.symbol);
	EXPECT_EQ(0, strcmp("read pipe:[12]", w.what));
	observed_wait_clear(&w);
	names_free(n);
}

TEST(each_task_of_a_cycle_waits_for_the_next)
{
	struct chess_live_edge edges[3] = {
		{ .tid = 11, .tgid = getpid(), .call = "futex", .lock = "mutex" },
		{ .tid = 12, .tgid = getpid(), .call = "read pipe:[1]" },
		{ .tid = 13, .tgid = getpid(), .call = "futex", .lock = "thread" },
	};
	struct chess_live_alarm alarm = { .edges = edges, .n = 3 };
	struct names *n = names_new();
	struct observed_alarm a;

	edges[0].address = variable(1);
	observed_alarm_of(n, &alarm, &a);
	EXPECT_EQ(12, (int)a.edge[0].next);
	EXPECT_EQ(13, (int)a.edge[1].next);
	EXPECT_EQ(11, (int)a.edge[2].next);
	EXPECT_EQ(0, strcmp("mutex observed_variable+0x4", a.edge[0].wait.what));
	EXPECT_EQ(0, strcmp("read pipe:[1]", a.edge[1].wait.what));
	EXPECT_TRUE(a.edge[2].wait.thread && !a.edge[0].wait.thread);
	/* Without a stack there is no place. */
	EXPECT_TRUE(!a.edge[0].where);
	observed_alarm_clear(&a);
	observed_alarm_clear(&a);
	names_free(n);
}

TEST_HARNESS_MAIN
