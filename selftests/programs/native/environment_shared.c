// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread asks for a time in another zone by way of TZ, and puts back what it was; another one
 * hands on the settings that it finds meanwhile. No lock covers the environment of a process.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *ask_elsewhere(void *unused)
{
	(void)unused;
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	setenv("TZ", "Asia/Tokyo", 1);
	WINDOW();
	setenv("TZ", "Europe/Rome", 1);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	setenv("TZ", "Europe/Rome", 1);
	assert(!pthread_create(&thread, NULL, ask_elsewhere, NULL));
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	assert(!strcmp(getenv("TZ"), "Europe/Rome"));
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	return 0;
}
