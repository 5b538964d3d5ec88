// SPDX-License-Identifier: GPL-2.0-only
/*
 * An asynchronous read is begun, and then noted as pending until its completion clears the
 * note. Completed before that, it is pending for ever.
 *
 * source: Lu et al., ASPLOS 2008, section 3 (Mozilla macio.c)
 * expect: verdict=deadlock
 */
#include <stdbool.h>

#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static bool is_pending;

static void set_pending(bool value)
{
	pthread_mutex_lock(&lock);
	is_pending = value;
	pthread_cond_signal(&done);
	pthread_mutex_unlock(&lock);
}

static void *complete(void *arg)
{
	(void)arg;
	set_pending(false);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	if (IS_MENDED)
		set_pending(true);
	assert(!pthread_create(&thread, NULL, complete, NULL));
	if (!IS_MENDED)
		set_pending(true);
	pthread_mutex_lock(&lock);
	while (is_pending)
		pthread_cond_wait(&done, &lock);
	pthread_mutex_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	return 0;
}
