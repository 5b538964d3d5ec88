// SPDX-License-Identifier: GPL-2.0-only
/*
 * A buffer of one slot with a condition variable for each side; two items go
 * from main to a thread.
 *
 * expect: verdict=ok runs=1,11,63
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int full, slot;

static void put(int value)
{
	pthread_mutex_lock(&lock);
	while (full)
		pthread_cond_wait(&not_full, &lock);
	slot = value;
	full = 1;
	pthread_cond_signal(&not_empty);
	pthread_mutex_unlock(&lock);
}

static int get(void)
{
	int value;

	pthread_mutex_lock(&lock);
	while (!full)
		pthread_cond_wait(&not_empty, &lock);
	value = slot;
	full = 0;
	pthread_cond_signal(&not_full);
	pthread_mutex_unlock(&lock);
	return value;
}

static void *consume(void *arg)
{
	int first = get(), second = get();

	assert(first == 1 && second == 2);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, consume, NULL);
	put(1);
	put(2);
	pthread_join(t, NULL);
	return 0;
}
