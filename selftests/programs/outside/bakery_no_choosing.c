// SPDX-License-Identifier: GPL-2.0-only
/*
 * The bakery algorithm without saying that a number is being chosen: a thread that has seen
 * the highest number, but has not stored its own yet, is not waited for, and then comes first.
 *
 * source: Lamport, Communications of the ACM 17(8), 1974
 * expect: verdict=assert
 */
#include <stdatomic.h>

#include "outside.h"

static atomic_int choosing[2], number[2], inside;

static void enter(int self)
{
	int other = !self, seen;

	if (IS_MENDED)
		atomic_store(&choosing[self], 1);
	atomic_store(&number[self], atomic_load(&number[other]) + 1);
	if (IS_MENDED)
		atomic_store(&choosing[self], 0);
	while (atomic_load(&choosing[other]))
		sched_yield();
	while ((seen = atomic_load(&number[other])) &&
	       (seen < number[self] || (seen == number[self] && other < self)))
		sched_yield();
	assert(!atomic_fetch_add(&inside, 1));
	atomic_fetch_sub(&inside, 1);
	atomic_store(&number[self], 0);
}

static void mine(void)
{
	enter(0);
}

static void *others(void *arg)
{
	(void)arg;
	enter(1);
	return NULL;
}

int main(void)
{
	together(mine, others);
	return 0;
}
