// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads take the entries of one directory from one stream, and each relies on getting
 * some. The C library locks the stream for each readdir(), and all entries are in memory after
 * the first: whoever comes first takes them all.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <dirent.h>
#include <pthread.h>
#include <stddef.h>

#include "window.h"

static DIR *shared;

static void *take(void *count)
{
	DIR *stream = IS_MENDED ? opendir("/proc/self/fdinfo") : shared;

	assert(stream);
	while (readdir(stream))
		++*(int *)count;
	if (IS_MENDED)
		closedir(stream);
	return NULL;
}

int main(void)
{
	int mine = 0, others = 0;
	pthread_t thread;

	shared = opendir("/proc/self/fdinfo");
	assert(shared);
	assert(!pthread_create(&thread, NULL, take, &others));
	WINDOW();
	take(&mine);
	assert(!pthread_join(thread, NULL));
	closedir(shared);
	assert(mine);
	return 0;
}
