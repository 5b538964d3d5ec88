// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads ask gmtime(3) for a date each. Both get the address of one and the same result.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

#include "window.h"

static int year_of(time_t time)
{
	struct tm mine, *tm = &mine;

	if (IS_MENDED)
		gmtime_r(&time, tm);
	else
		tm = gmtime(&time);
	WINDOW();
	return tm->tm_year;
}

static void *ask(void *year)
{
	INTO_WINDOW();
	*(int *)year = year_of(400 * 86400);
	return NULL;
}

int main(void)
{
	static int theirs;
	pthread_t thread;
	int mine;

	assert(!pthread_create(&thread, NULL, ask, &theirs));
	mine = year_of(0);
	assert(!pthread_join(thread, NULL));
	return mine == 70 && theirs == 71 ? 0 : 1;
}
