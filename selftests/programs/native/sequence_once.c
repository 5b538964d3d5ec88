// SPDX-License-Identifier: GPL-2.0-only
/*
 * A pair is guarded by a sequence count, which is odd while it is written. The reader waits
 * for an even one, but does not look again whether it is still the same.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "window.h"

static atomic_uint sequence;
static atomic_int left, right;

static void *set(void *arg)
{
	(void)arg;
	atomic_fetch_add(&sequence, 1);
	atomic_store(&left, 1);
	atomic_store(&right, 1);
	atomic_fetch_add(&sequence, 1);
	return NULL;
}

int main(void)
{
	unsigned int before;
	pthread_t thread;
	int l, r;

	assert(!pthread_create(&thread, NULL, set, NULL));
	do {
		while ((before = atomic_load(&sequence)) & 1)
			sched_yield();
		l = atomic_load(&left);
		WINDOW();
		r = atomic_load(&right);
	} while (IS_MENDED && atomic_load(&sequence) != before);
	assert(l == r);
	assert(!pthread_join(thread, NULL));
	return 0;
}
