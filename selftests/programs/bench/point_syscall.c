// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cost of a point at a syscall when the task goes on: getppid-sized calls that
 * are points, here a write of nothing to a pipe. A second thread sleeps in a read
 * all the while, so that the task is not alone in its group.
 */
#include <pthread.h>
#include <unistd.h>

#include "bench.h"

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
	int fds[2];
	pthread_t t;

	bench_check(!pipe(quiet) && !pipe(fds), "pipe");
	pthread_create(&t, NULL, sleeper, NULL);
	bench_start();
	for (long i = 0; i < n; i++)
		bench_check(write(fds[1], "", 0) == 0, "write");
	bench_end("point_syscall", n);
	bench_check(write(quiet[1], "x", 1) == 1, "write");
	pthread_join(t, NULL);
	return 0;
}
