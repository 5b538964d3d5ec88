// SPDX-License-Identifier: GPL-2.0-only
/*
 * A counter is read in one critical section and written in the next.
 *
 * expect: verdict=assert preemptions=1
 * The other task's update must fall between the read and the write of one task,
 * which is enabled all the time in between.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static int get(void)
{
	int value;

	pthread_mutex_lock(&lock);
	value = count;
	pthread_mutex_unlock(&lock);
	return value;
}

static void set(int value)
{
	pthread_mutex_lock(&lock);
	count = value;
	pthread_mutex_unlock(&lock);
}

static void *increment(void *arg)
{
	set(get() + 1);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, increment, NULL);
	increment(NULL);
	pthread_join(t, NULL);
	assert(count == 2);
	return 0;
}
