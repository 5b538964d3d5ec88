// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread puts its name before a message, and after it. Its creator gives it another name
 * meanwhile.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "window.h"

#define NAME_BYTES 16

static pthread_mutex_t name = PTHREAD_MUTEX_INITIALIZER;

static void *write_message(void *arg)
{
	char before[NAME_BYTES], after[NAME_BYTES];

	(void)arg;
	if (IS_MENDED)
		pthread_mutex_lock(&name);
	assert(!pthread_getname_np(pthread_self(), before, sizeof(before)));
	WINDOW();
	assert(!pthread_getname_np(pthread_self(), after, sizeof(after)));
	if (IS_MENDED)
		pthread_mutex_unlock(&name);
	assert(!strcmp(before, after));
	return NULL;
}

int main(void)
{
	pthread_t thread;

	assert(!pthread_create(&thread, NULL, write_message, NULL));
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&name);
	/* It may have ended. */
	pthread_setname_np(thread, "writer");
	if (IS_MENDED)
		pthread_mutex_unlock(&name);
	assert(!pthread_join(thread, NULL));
	return 0;
}
