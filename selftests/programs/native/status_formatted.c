// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread renames a disk, by way of a name that no disk has; another one writes a line with the
 * name meanwhile.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
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
	char line[64];

	assert(!pthread_create(&thread, NULL, rename_disk, NULL));
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	snprintf(line, sizeof(line), "%d errors on %s", 0, name);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(strcmp(line, "0 errors on disk-?"));
	assert(!pthread_join(thread, NULL));
	return 0;
}
