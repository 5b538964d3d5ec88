// SPDX-License-Identifier: GPL-2.0-only
/*
 * gmtime() returns a pointer to a variable of the C library. Another thread calls it as well,
 * and does not even look at the result.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

#include "window.h"

static void *format_late(void *unused)
{
	time_t late = 2000000000;
	struct tm own;

	(void)unused;
	INTO_WINDOW();
	assert(IS_MENDED ? gmtime_r(&late, &own) : gmtime(&late));
	return NULL;
}

int main(void)
{
	pthread_t thread;
	time_t early = 86400;
	struct tm *tm;

	assert(!pthread_create(&thread, NULL, format_late, NULL));
	tm = gmtime(&early);
	WINDOW();
	assert(tm->tm_year == 70);
	assert(!pthread_join(thread, NULL));
	return 0;
}
