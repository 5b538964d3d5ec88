// SPDX-License-Identifier: GPL-2.0-only
/*
 * A byte to another thread and back over two pipes, both on one CPU: two sleeps,
 * two wake-ups, four points. One operation is one round trip.
 */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "bench.h"

static int there[2], back[2];
static long n;

static void *echo(void *arg)
{
	char c;

	for (long i = 0; i < n; i++) {
		bench_check(read(there[0], &c, 1) == 1, "read");
		bench_check(write(back[1], &c, 1) == 1, "write");
	}
	return arg;
}

int main(int argc, char **argv)
{
	cpu_set_t cpu;
	pthread_t t;
	char c = 'x';

	n = bench_count(argc, argv);
	/* where a group's tasks are anyway; without control it must be asked for */
	CPU_ZERO(&cpu);
	CPU_SET(sched_getcpu(), &cpu);
	bench_check(!sched_setaffinity(0, sizeof(cpu), &cpu), "sched_setaffinity");
	bench_check(!pipe(there) && !pipe(back), "pipe");
	pthread_create(&t, NULL, echo, NULL);
	bench_start();
	for (long i = 0; i < n; i++) {
		bench_check(write(there[1], &c, 1) == 1, "write");
		bench_check(read(back[0], &c, 1) == 1, "read");
	}
	bench_end("pipe_roundtrip", n);
	pthread_join(t, NULL);
	return 0;
}
