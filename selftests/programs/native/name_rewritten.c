// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread renames a disk to its brother, the one with the other last letter, which goes by way
 * of a name that no disk has; another one compares names meanwhile.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "window.h"

static char name[16] = "disk-a";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *rename_disk(void *unused)
{
	(void)unused;
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	name[5] = '?';
	WINDOW();
	name[5] = 'b';
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	assert(!pthread_create(&thread, NULL, rename_disk, NULL));
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	assert(strcmp(name, "disk-?"));
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	return 0;
}
