// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread changes the name of the source that is read next, byte by byte; another one opens it
 * meanwhile, by a name that is half of each.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>

#include "window.h"

static char name[16] = "/dev/null";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *use_zeroes(void *unused)
{
	(void)unused;
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	name[5] = 'z';
	name[6] = 'e';
	WINDOW();
	name[7] = 'r';
	name[8] = 'o';
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	int fd;

	assert(!pthread_create(&thread, NULL, use_zeroes, NULL));
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	fd = open(name, O_RDONLY);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(fd >= 0);
	assert(!pthread_join(thread, NULL));
	return 0;
}
