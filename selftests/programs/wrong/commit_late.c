// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table is reserved with mmap(2), published, and made accessible only after that.
 *
 * expect: verdict=crash preemptions=1
 * The reader must run while the writer stands at its mprotect(2).
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

static _Atomic(int *) table;

static void *read_table(void *arg)
{
	int *t = atomic_load(&table);

	if (t)
		assert(!t[0]);
	return arg;
}

int main(void)
{
	pthread_t thread;
	int *t;

	assert(!pthread_create(&thread, NULL, read_table, NULL));
	t = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(t != MAP_FAILED);
	atomic_store(&table, t);
	assert(!mprotect(t, 4096, PROT_READ));
	assert(!pthread_join(thread, NULL));
	return 0;
}
