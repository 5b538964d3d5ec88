// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread says that it is done and then ends; the destructor of its thread-specific data adds
 * what it has counted to the totals, which main has taken down by then.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>

#include "window.h"

struct totals {
	pthread_mutex_t lock;
	long count;
};

static struct totals *totals;
static pthread_key_t key;
static sem_t done;

static void flush(void *count)
{
	WINDOW();
	pthread_mutex_lock(&totals->lock);
	totals->count += *(long *)count;
	pthread_mutex_unlock(&totals->lock);
}

static void *work(void *arg)
{
	static long count = 3;

	pthread_setspecific(key, &count);
	sem_post(&done);
	return arg;
}

int main(void)
{
	pthread_t thread;

	totals = mmap(NULL, sizeof(*totals), PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(totals != MAP_FAILED);
	pthread_mutex_init(&totals->lock, NULL);
	sem_init(&done, 0, 0);
	assert(!pthread_key_create(&key, flush));
	assert(!pthread_create(&thread, NULL, work, NULL));
	sem_wait(&done);
	if (IS_MENDED)
		assert(!pthread_join(thread, NULL));
	munmap(totals, sizeof(*totals));
	if (!IS_MENDED)
		assert(!pthread_join(thread, NULL));
	return 0;
}
