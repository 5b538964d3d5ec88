// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads that take locks of their own very often, and two beside them that add to a counter:
 * under one lock, or, if the last argument is "wrong", with the lock given up in between.
 *
 * Usage: private THREADS PAIRS right|wrong
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define THREADS	8

static struct {
	_Alignas(64) pthread_mutex_t lock;
} own[THREADS] = { [0 ... THREADS - 1] = { PTHREAD_MUTEX_INITIALIZER } };
static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static long pairs;
static int counter;
static int wrong;

static void *take_own(void *lock)
{
	long i;

	for (i = 0; i < pairs; i++) {
		pthread_mutex_lock(lock);
		pthread_mutex_unlock(lock);
	}
	return NULL;
}

static void *add(void *unused)
{
	int seen;

	(void)unused;
	pthread_mutex_lock(&shared);
	seen = counter;
	if (wrong) {
		pthread_mutex_unlock(&shared);
		pthread_mutex_lock(&shared);
	}
	counter = seen + 1;
	pthread_mutex_unlock(&shared);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t taker[THREADS], adder[2];
	int n, i;

	if (argc != 4)
		return 2;
	n = atoi(argv[1]);
	pairs = atol(argv[2]);
	wrong = !strcmp(argv[3], "wrong");
	if (n < 1 || n > THREADS)
		return 2;
	for (i = 0; i < n; i++)
		pthread_create(&taker[i], NULL, take_own, &own[i].lock);
	for (i = 0; i < 2; i++)
		pthread_create(&adder[i], NULL, add, NULL);
	for (i = 0; i < n; i++)
		pthread_join(taker[i], NULL);
	for (i = 0; i < 2; i++)
		pthread_join(adder[i], NULL);
	assert(counter == 2);
	return 0;
}
