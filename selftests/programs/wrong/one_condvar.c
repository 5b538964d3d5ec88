// SPDX-License-Identifier: GPL-2.0-only
/*
 * One condition variable for both sides of a bounded buffer: a consumer's signal
 * wakes the other consumer instead of the producer.
 *
 * expect: verdict=deadlock preemptions=1
 * Both consumers must wait before the first item is there, so main has to be left
 * before its first put is done, and it cannot block in there: the buffer is empty
 * and the mutex free. Then the consumers wait, main puts one item and waits
 * after the second consumer, and the first one's signal goes to the wrong task.
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void put(void)
{
	pthread_mutex_lock(&lock);
	while (full)
		pthread_cond_wait(&changed, &lock);
	full = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

static void *get(void *arg)
{
	pthread_mutex_lock(&lock);
	while (!full)
		pthread_cond_wait(&changed, &lock);
	full = 0;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, get, NULL);
	pthread_create(&b, NULL, get, NULL);
	put();
	put();
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
