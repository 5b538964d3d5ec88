// SPDX-License-Identifier: GPL-2.0-only
/*
 * As policy_of_another.c, but by the functions of pthreads, which keep what a thread's policy is:
 * the second time it is asked for there is no system call.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#include "window.h"

static sem_t is_set;
static int changed;

static int own_policy(void)
{
	struct sched_param param;
	int policy;

	assert(!pthread_getschedparam(pthread_self(), &policy, &param));
	return policy;
}

static void *work(void *arg)
{
	int began, ended;

	(void)arg;
	if (IS_MENDED)
		assert(!sem_wait(&is_set));
	began = own_policy();
	WINDOW();
	ended = own_policy();
	changed = began != ended;
	return NULL;
}

int main(void)
{
	struct sched_param param = { 0 };
	pthread_t thread;

	assert(!sem_init(&is_set, 0, 0));
	assert(!pthread_create(&thread, NULL, work, NULL));
	INTO_WINDOW();
	/* It may have ended. */
	pthread_setschedparam(thread, SCHED_BATCH, &param);
	assert(!sem_post(&is_set));
	assert(!pthread_join(thread, NULL));
	return changed;
}
