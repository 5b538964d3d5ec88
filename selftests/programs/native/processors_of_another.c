// SPDX-License-Identifier: GPL-2.0-only
/*
 * A worker asks on how many processors it may run, and makes room for one result of each. While it
 * does so, another thread keeps it to one processor, and the second time it asks it gets another
 * number. Needs a machine with two processors.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

#include "window.h"

static sem_t is_known, is_set;
static int changed;
static pid_t worker;

static int processors(void)
{
	cpu_set_t set;

	assert(!sched_getaffinity(0, sizeof(set), &set));
	return CPU_COUNT(&set);
}

static void *work(void *arg)
{
	int room, results;

	(void)arg;
	worker = gettid();
	assert(!sem_post(&is_known));
	if (IS_MENDED)
		assert(!sem_wait(&is_set));
	room = processors();
	WINDOW();
	results = processors();
	changed = room != results;
	return NULL;
}

int main(void)
{
	cpu_set_t all, one;
	pthread_t thread;
	int i;

	CPU_ZERO(&all);
	for (i = 0; i < sysconf(_SC_NPROCESSORS_CONF); i++)
		CPU_SET(i, &all);
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	/* Whatever it was begun with. */
	assert(!sched_setaffinity(0, sizeof(all), &all));
	assert(!sem_init(&is_known, 0, 0) && !sem_init(&is_set, 0, 0));
	assert(!pthread_create(&thread, NULL, work, NULL));
	assert(!sem_wait(&is_known));
	INTO_WINDOW();
	/* It may have ended. */
	sched_setaffinity(worker, sizeof(one), &one);
	assert(!sem_post(&is_set));
	assert(!pthread_join(thread, NULL));
	return changed;
}
