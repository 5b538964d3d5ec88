// SPDX-License-Identifier: GPL-2.0-only
/*
 * To post a semaphore is to add one to it, and then to look whether somebody sleeps on it. A
 * thread that did not have to sleep has freed it by then.
 *
 * source: glibc #12674
 * expect: verdict=memory
 */
#include <stdatomic.h>

#include "outside.h"

struct semaphore {
	atomic_int value;
	atomic_int sleepers;
	long rest[4];
};

static struct semaphore *semaphore;

static void post(void)
{
	int sleepers;

	if (IS_MENDED)
		sleepers = atomic_load(&semaphore->sleepers);
	atomic_fetch_add(&semaphore->value, 1);
	if (!IS_MENDED)
		sleepers = atomic_load(&semaphore->sleepers);
	/* Those would be woken up now. */
	(void)sleepers;
}

static void *wait_and_free(void *arg)
{
	int value;

	(void)arg;
	do {
		value = atomic_load(&semaphore->value);
		if (!value)
			sched_yield();
	} while (!value || !atomic_compare_exchange_strong(&semaphore->value, &value, value - 1));
	free(semaphore);
	return NULL;
}

int main(void)
{
	semaphore = calloc(1, sizeof(*semaphore));
	assert(semaphore);
	together(post, wait_and_free);
	return 0;
}
