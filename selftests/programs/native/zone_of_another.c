// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads want to know the hour in different places: each sets TZ, and asks for local
 * time. There is one environment.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int hour_in(const char *zone)
{
	time_t midnight = 0;
	struct tm tm;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	assert(!setenv("TZ", zone, 1));
	WINDOW();
	tzset();
	assert(localtime_r(&midnight, &tm));
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return tm.tm_hour;
}

static void *ask(void *hour)
{
	INTO_WINDOW();
	*(int *)hour = hour_in("EAST-3");
	return NULL;
}

int main(void)
{
	static int theirs;
	pthread_t thread;
	int mine;

	assert(!pthread_create(&thread, NULL, ask, &theirs));
	mine = hour_in("WEST+2");
	assert(!pthread_join(thread, NULL));
	return mine == 22 && theirs == 3 ? 0 : 1;
}
