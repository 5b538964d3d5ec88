// SPDX-License-Identifier: GPL-2.0-only
/*
 * A text in memory is announced before fflush() has written where it is and how long.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static FILE *text;
static char *start;
static size_t length;
static int ready;

static void *read_text(void *arg)
{
	INTO_WINDOW();
	pthread_mutex_lock(&lock);
	while (!ready)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	assert(length == 5 && !memcmp(start, "hello", 5));
	return arg;
}

static void announce(void)
{
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	pthread_t reader;

	text = open_memstream(&start, &length);
	assert(text && !pthread_create(&reader, NULL, read_text, NULL));
	assert(fputs("hello", text) != EOF);
	if (!IS_MENDED)
		announce();
	WINDOW();
	assert(!fflush(text));
	if (IS_MENDED)
		announce();
	assert(!pthread_join(reader, NULL));
	assert(!fclose(text));
	free(start);
	return 0;
}
