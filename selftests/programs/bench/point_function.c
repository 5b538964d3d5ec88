// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cost of a point at a trapped function when the task goes on: a free mutex,
 * locked and unlocked; one operation is one of the two calls. A second thread
 * sleeps in a read all the while, so that the task is not alone in its group.
 */
#include <pthread.h>
#include <unistd.h>

#include "bench.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int quiet[2];

static void *sleeper(void *arg)
{
	char c;

	bench_check(read(quiet[0], &c, 1) == 1, "read");
	return arg;
}

int main(int argc, char **argv)
{
	long n = bench_count(argc, argv);
	pthread_t t;

	bench_check(!pipe(quiet), "pipe");
	pthread_create(&t, NULL, sleeper, NULL);
	bench_start();
	for (long i = 0; i < n; i += 2) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	bench_end("point_function", n);
	bench_check(write(quiet[1], "x", 1) == 1, "write");
	pthread_join(t, NULL);
	return 0;
}
