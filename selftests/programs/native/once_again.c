// SPDX-License-Identifier: GPL-2.0-only
/*
 * A library is set up by pthread_once(3). Its shutdown makes the control variable new, so that
 * it can be set up again; somebody else may have come past it already, and use what is gone.
 *
 * expect: verdict=memory
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "window.h"

static const pthread_once_t fresh = PTHREAD_ONCE_INIT;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *volatile counter;
static int users;

static void set_up(void)
{
	counter = calloc(1, sizeof(*counter));
}

static void shut_down(void)
{
	free(counter);
	counter = NULL;
	once = fresh;
}

static void begin(void)
{
	pthread_mutex_lock(&lock);
	users++;
	pthread_once(&once, set_up);
	pthread_mutex_unlock(&lock);
}

static void end(void)
{
	pthread_mutex_lock(&lock);
	if (!--users || !IS_MENDED)
		shut_down();
	pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
	begin();
	WINDOW();
	WINDOW();
	__atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
	end();
	return arg;
}

int main(void)
{
	pthread_t thread;

	assert(!pthread_create(&thread, NULL, work, NULL));
	WINDOW();
	begin();
	end();
	assert(!pthread_join(thread, NULL));
	return 0;
}
