/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SCTBench's twostage_bad: two values that belong together, each with a lock of its own.
 *
 * The schedule: a writer is preempted after the first critical section, and a reader
 * comes. One preemption: a writer that is not left sets both, as no lock is held by who
 * is not left. Points at locks are enough for it. With several writers `first` races:
 * the second critical section loads it without its lock.
 */
#include <assert.h>

#include "tasks.h"

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *write_both(void *arg)
{
	pthread_mutex_lock(&first_lock);
	first = 1;
	pthread_mutex_unlock(&first_lock);
	pthread_mutex_lock(&second_lock);
	second = first + 1;
	pthread_mutex_unlock(&second_lock);
	return arg;
}

static void *read_both(void *arg)
{
	int seen_first, seen_second;

	pthread_mutex_lock(&first_lock);
	seen_first = first;
	pthread_mutex_unlock(&first_lock);
	if (!seen_first)
		return arg;
	pthread_mutex_lock(&second_lock);
	seen_second = second;
	pthread_mutex_unlock(&second_lock);
	assert(seen_second == seen_first + 1);
	return arg;
}

int main(void)
{
	run_tasks(write_both, WRITERS, read_both, READERS);
	return 0;
}
