// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory is made read-only while a thread that asked whether it may write is about to.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "window.h"

#define SIZE	8192

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool is_open = true;
static char *bytes;

static void *use(void *unused)
{
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	if (atomic_load(&is_open)) {
		WINDOW();
		bytes[SIZE - 1] = 1;
	}
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t thread;

	bytes = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(bytes != MAP_FAILED);
	bytes[SIZE - 1] = 3;
	assert(!pthread_create(&thread, NULL, use, NULL));
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	atomic_store(&is_open, false);
	assert(!mprotect(bytes, SIZE, PROT_READ));
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	return 0;
}
