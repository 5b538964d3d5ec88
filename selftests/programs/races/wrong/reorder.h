/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SCTBench's reorder_N_bad (Thomson, Donaldson, Betts, PPoPP'14): setters store a, then
 * b, by plain stores and without a lock; a checker takes it that it sees neither or both.
 *
 * The schedule: a setter is preempted between its two stores, and a checker looks then.
 * One preemption: tasks that are not left between the two stores set both.
 */
#include <assert.h>

#include "tasks.h"

static int a, b;

static void *set_both(void *arg)
{
	a = 1;
	b = -1;
	return arg;
}

static void *check_both(void *arg)
{
	int seen_a = a, seen_b = b;

	assert((seen_a == 0 && seen_b == 0) || (seen_a == 1 && seen_b == -1));
	return arg;
}

int main(void)
{
	run_tasks(set_both, SETTERS, check_both, CHECKERS);
	return 0;
}
