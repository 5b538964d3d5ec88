// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread lets a clock go on by a minute, from 9:59 to 10:00; another one writes the time
 * meanwhile, and sees the new minute with the old hour.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "window.h"

static struct tm now = { .tm_hour = 9, .tm_min = 59 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *tick(void *unused)
{
	(void)unused;
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	now.tm_min = 0;
	WINDOW();
	now.tm_hour = 10;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	char text[8];

	assert(!pthread_create(&thread, NULL, tick, NULL));
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	assert(strftime(text, sizeof(text), "%H:%M", &now));
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(strcmp(text, "09:00"));
	assert(!pthread_join(thread, NULL));
	return 0;
}
