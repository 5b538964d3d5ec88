// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whoever finds a job in the state "queued" owns it, runs or cancels it, and frees it. The
 * worker and the one that cancels both look before either has changed the state.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "window.h"

enum { QUEUED, TAKEN };

static _Atomic int state;
static char *job;

static int take(void)
{
	int queued = QUEUED;

	if (IS_MENDED)
		return atomic_compare_exchange_strong(&state, &queued, TAKEN);
	if (atomic_load(&state) != QUEUED)
		return 0;
	WINDOW();
	atomic_store(&state, TAKEN);
	return 1;
}

static void *run(void *arg)
{
	(void)arg;
	if (take()) {
		job[0] = 'r';
		free(job);
	}
	return NULL;
}

int main(void)
{
	pthread_t worker;

	job = malloc(2000);
	assert(job);
	assert(!pthread_create(&worker, NULL, run, NULL));
	if (take())
		free(job);
	assert(!pthread_join(worker, NULL));
	return 0;
}
