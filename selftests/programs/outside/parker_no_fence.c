// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that parks stores that it sleeps, and looks for work; another one stores work and
 * looks whether the first one sleeps. Without a fence between store and look, each processor
 * may keep its store to itself for a while, and neither thread sees the other's.
 *
 * source: JDK-6822370; Dice, A race in LockSupport park(), 2009
 * expect: verdict=deadlock
 * missed: tasks run one at a time, so each sees what the others have stored
 */
#include <semaphore.h>
#include <stdatomic.h>

#include "outside.h"

#define ORDER	(IS_MENDED ? memory_order_seq_cst : memory_order_relaxed)

static atomic_int sleeps, work;
static sem_t wakeup;

static void park(void)
{
	atomic_store_explicit(&sleeps, 1, ORDER);
	if (!atomic_load_explicit(&work, ORDER))
		sem_wait(&wakeup);
}

static void *unpark(void *arg)
{
	(void)arg;
	atomic_store_explicit(&work, 1, ORDER);
	if (atomic_load_explicit(&sleeps, ORDER))
		sem_post(&wakeup);
	return NULL;
}

int main(void)
{
	sem_init(&wakeup, 0, 0);
	together(park, unpark);
	return 0;
}
