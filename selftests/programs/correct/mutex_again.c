// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two tasks take a mutex once, and the one that made them takes it twice. Where both wait and it
 * takes the mutex before the one that it has woken does, its second unlock wakes none: the C
 * library's mutex has no note of tasks that wait then.
 *
 * expect: verdict=ok runs=3,47,384
 * any: runs=3,53,444
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void add(int times)
{
	for (int i = 0; i < times; i++) {
		pthread_mutex_lock(&lock);
		count++;
		pthread_mutex_unlock(&lock);
	}
}

static void *work(void *arg)
{
	add(1);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	add(2);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(count == 4);
	return 0;
}
