// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads put a text into one place, by stpcpy() and by strncpy(). What is there may be half
 * of each.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "window.h"

#define LENGTH	15

static char text[LENGTH + 9];
static volatile size_t room = sizeof(text);
static const char *volatile first = "aaaaaaaaaaaaaaa", *volatile second = "bbbbbbbbbbbbbbb";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *write_second(void *unused)
{
	(void)unused;
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	strncpy(text, second, room);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	char whole[2 * LENGTH + 1] = "";
	pthread_t thread;

	assert(!pthread_create(&thread, NULL, write_second, NULL));
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
#ifdef SLOW
	memcpy(text, first, 8);
	WINDOW();
	assert(strcpy(text + 8, first + 8) == text + 8);
#else
	assert(stpcpy(text, first) == text + LENGTH);
#endif
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	assert(strcat(whole, text) == whole);
	assert(strlen(whole) == LENGTH);
	assert(whole[0] == whole[LENGTH - 1]);
	return 0;
}
