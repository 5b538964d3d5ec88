/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two threads that take two locks, in one order or in two; what tests of check.c and cmocka.c do.
 */
#ifndef HARNESS_THREADS_H
#define HARNESS_THREADS_H

#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t threads_first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t threads_second = PTHREAD_MUTEX_INITIALIZER;
static int threads_sum;

static inline void threads_lock(pthread_mutex_t *one, pthread_mutex_t *other)
{
	pthread_mutex_lock(one);
	pthread_mutex_lock(other);
	threads_sum++;
	pthread_mutex_unlock(other);
	pthread_mutex_unlock(one);
}

static inline void *threads_in_order(void *arg)
{
	threads_lock(&threads_first, &threads_second);
	return arg;
}

static inline void *threads_reversed(void *arg)
{
	threads_lock(&threads_second, &threads_first);
	return arg;
}

/* Return: the sum, which is 2. */
static inline int threads_run(void *(*fn)(void *))
{
	pthread_t t;

	threads_sum = 0;
	if (pthread_create(&t, NULL, fn, NULL))
		return -1;
	threads_in_order(NULL);
	pthread_join(t, NULL);
	return threads_sum;
}

#endif /* HARNESS_THREADS_H */
