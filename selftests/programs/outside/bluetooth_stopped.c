// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver counts its pending requests, and is stopped when there are none. A request that
 * looked whether the driver stops before it was counted goes on with one that is stopped.
 *
 * source: Qadeer and Wu, PLDI 2004 (KISS), section 2
 * expect: verdict=assert
 */
#include <semaphore.h>
#include <stdatomic.h>

#include "outside.h"

static atomic_int pending = 1, is_stopping, is_stopped;
static sem_t drained;

static void leave(void)
{
	if (atomic_fetch_sub(&pending, 1) == 1)
		sem_post(&drained);
}

static void *request(void *arg)
{
	(void)arg;
	if (IS_MENDED)
		atomic_fetch_add(&pending, 1);
	if (!atomic_load(&is_stopping)) {
		if (!IS_MENDED)
			atomic_fetch_add(&pending, 1);
		assert(!atomic_load(&is_stopped));
		if (!IS_MENDED)
			leave();
	}
	if (IS_MENDED)
		leave();
	return NULL;
}

static void stop(void)
{
	atomic_store(&is_stopping, 1);
	leave();
	sem_wait(&drained);
	atomic_store(&is_stopped, 1);
}

int main(void)
{
	sem_init(&drained, 0, 0);
	together(stop, request);
	return 0;
}
