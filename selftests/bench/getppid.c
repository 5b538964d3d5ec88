// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cost of a point at the cheapest syscall that is one, when the task goes on:
 * getppid(). A second thread sleeps in a read all the while, so that the task is
 * not alone in its group. bench.sh runs it with and without control.
 */
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../programs/bench/bench.h"

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
	for (long i = 0; i < n; i++)
		syscall(SYS_getppid);
	bench_end("getppid", n);
	bench_check(write(quiet[1], "x", 1) == 1, "write");
	pthread_join(t, NULL);
	return 0;
}
