// SPDX-License-Identifier: GPL-2.0-only
/*
 * A cache is emptied with madvise(2), and then said to be. Its memory is shared with
 * a reader all the time.
 *
 * expect: verdict=ok runs=1,3,5
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

static atomic_int emptied;
static int *cache;

static void *read_cache(void *arg)
{
	if (atomic_load(&emptied))
		assert(!cache[0]);
	return arg;
}

int main(void)
{
	pthread_t thread;

	cache = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(cache != MAP_FAILED);
	cache[0] = 1;
	assert(!pthread_create(&thread, NULL, read_cache, NULL));
	assert(!madvise(cache, 4096, MADV_DONTNEED));
	atomic_store(&emptied, 1);
	assert(!pthread_join(thread, NULL));
	return 0;
}
