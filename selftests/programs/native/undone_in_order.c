// SPDX-License-Identifier: GPL-2.0-only
/*
 * A store of messages is opened by main, a log that needs it by a thread. Each has atexit()
 * close it, and what is registered last is closed first: the log, if main was first.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "window.h"

static bool store_closed;

static void close_store(void)
{
	store_closed = true;
}

static void close_log(void)
{
	if (store_closed)
		abort();
}

static void *open_log(void *unused)
{
	(void)unused;
	assert(!atexit(close_log));
	return NULL;
}

int main(void)
{
	pthread_t thread;

	if (IS_MENDED)
		assert(!atexit(close_store));
	assert(!pthread_create(&thread, NULL, open_log, NULL));
	WINDOW();
	if (!IS_MENDED)
		assert(!atexit(close_store));
	assert(!pthread_join(thread, NULL));
	return 0;
}
