// SPDX-License-Identifier: GPL-2.0-only
/*
 * A worker notes under which scheduling policy it begins a job and under which it ends it, for
 * its accounts. Another thread makes it a batch task, in the middle of a job.
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

static void *work(void *arg)
{
	int began, ended;

	(void)arg;
	worker = gettid();
	assert(!sem_post(&is_known));
	if (IS_MENDED)
		assert(!sem_wait(&is_set));
	began = sched_getscheduler(0);
	WINDOW();
	ended = sched_getscheduler(0);
	changed = began != ended;
	return NULL;
}

int main(void)
{
	struct sched_param param = { 0 };
	pthread_t thread;

	assert(!sem_init(&is_known, 0, 0) && !sem_init(&is_set, 0, 0));
	assert(!pthread_create(&thread, NULL, work, NULL));
	assert(!sem_wait(&is_known));
	INTO_WINDOW();
	/* It may have ended. */
	sched_setscheduler(worker, SCHED_BATCH, &param);
	assert(!sem_post(&is_set));
	assert(!pthread_join(thread, NULL));
	return changed;
}
