// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reader that finds stale data asks for the write lock and still holds the read
 * lock: it waits for itself.
 *
 * expect: verdict=deadlock preemptions=1
 * Main reads before the thread runs, and then the data are not stale. Only a
 * preemption of main before its read lock lets the thread be first.
 */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int stale, refreshed;

static void *invalidate(void *arg)
{
	pthread_rwlock_wrlock(&lock);
	stale = 1;
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, invalidate, NULL);
	pthread_rwlock_rdlock(&lock);
	if (stale) {
		pthread_rwlock_wrlock(&lock);
		stale = 0;
		refreshed++;
		pthread_rwlock_unlock(&lock);
	}
	pthread_rwlock_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
