// SPDX-License-Identifier: GPL-2.0-only
/*
 * A "simplification" of Dijkstra's mutual exclusion for two: a process that has seen the
 * other one leave takes the turn, while that one, which has the turn, comes in again. Mended:
 * Peterson's algorithm.
 *
 * source: Hyman, Communications of the ACM 9(1), 1966; Knuth, CACM 9(5)
 * expect: verdict=assert
 */
#include <stdatomic.h>

#include "outside.h"

static atomic_int wants[2], turn, inside;

static void enter(int self)
{
	int other = !self;

	atomic_store(&wants[self], 1);
	if (IS_MENDED) {
		atomic_store(&turn, other);
		while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
			sched_yield();
	} else {
		while (atomic_load(&turn) != self) {
			while (atomic_load(&wants[other]))
				sched_yield();
			atomic_store(&turn, self);
		}
	}
	assert(!atomic_fetch_add(&inside, 1));
	atomic_fetch_sub(&inside, 1);
	atomic_store(&wants[self], 0);
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
