// SPDX-License-Identifier: GPL-2.0-only
/*
 * Four threads that lock and unlock, each a mutex of its own and now and then one that all have;
 * one operation is a pair of these calls. A program that spends its time on locks nobody waits
 * for, as many do.
 */
#include <pthread.h>

#include "bench.h"

#define THREADS	4
#define SHARED	100	/* of so many pairs one is on the mutex that all have */

static pthread_mutex_t own[THREADS], all = PTHREAD_MUTEX_INITIALIZER;
static long n;

static void *work(void *arg)
{
	pthread_mutex_t *mine = arg;

	for (long i = 0; i < n / THREADS; i++) {
		pthread_mutex_t *m = i % SHARED ? mine : &all;

		pthread_mutex_lock(m);
		pthread_mutex_unlock(m);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[THREADS];
	int i;

	n = bench_count(argc, argv);
	bench_start();
	for (i = 0; i < THREADS; i++) {
		pthread_mutex_init(&own[i], NULL);
		bench_check(!pthread_create(&t[i], NULL, work, &own[i]), "pthread_create");
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	bench_end("mutex_threads", n);
	return 0;
}
