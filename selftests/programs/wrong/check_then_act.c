// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last seat is looked for in one critical section and taken in the next.
 *
 * expect: verdict=assert preemptions=1
 * Nothing blocks between the two sections, so the first task to find the seat
 * also takes it unless it is preempted before the second lock.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seats = 1;

static int is_free(void)
{
	int yes;

	pthread_mutex_lock(&lock);
	yes = seats > 0;
	pthread_mutex_unlock(&lock);
	return yes;
}

static void *book(void *arg)
{
	if (is_free()) {
		pthread_mutex_lock(&lock);
		seats--;
		assert(seats >= 0);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, book, NULL);
	book(NULL);
	pthread_join(t, NULL);
	return 0;
}
