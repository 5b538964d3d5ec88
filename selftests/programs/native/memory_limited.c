// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread limits the memory of its process, so that nothing can take all of the machine's. The
 * main thread gets the memory for a cache meanwhile, by malloc(), which fails if it comes second.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "window.h"

static sem_t is_made;

static void *set_limit(void *arg)
{
	struct rlimit limit;

	(void)arg;
	assert(!getrlimit(RLIMIT_AS, &limit));
	limit.rlim_cur = 128UL << 20;
	if (IS_MENDED)
		assert(!sem_wait(&is_made));
	assert(!setrlimit(RLIMIT_AS, &limit));
	return NULL;
}

int main(void)
{
	pthread_t thread;
	void *cache;

	assert(!sem_init(&is_made, 0, 0));
	assert(!pthread_create(&thread, NULL, set_limit, NULL));
	WINDOW();
	cache = malloc(256UL << 20);
	assert(cache);
	assert(!sem_post(&is_made));
	assert(!pthread_join(thread, NULL));
	free(cache);
	return 0;
}
