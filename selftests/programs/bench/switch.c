// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cost of a forced switch: two threads on one CPU that do nothing but yield to
 * each other. One operation is one sched_yield.
 */
#include <pthread.h>
#include <sched.h>

#include "bench.h"

static pthread_barrier_t ready;
static long n;

static void *yield(void *arg)
{
	pthread_barrier_wait(&ready);
	for (long i = 0; i < n; i += 2)
		sched_yield();
	return arg;
}

int main(int argc, char **argv)
{
	cpu_set_t cpu;
	pthread_t t;

	n = bench_count(argc, argv);
	/* where a group's tasks are anyway; without control it must be asked for */
	CPU_ZERO(&cpu);
	CPU_SET(sched_getcpu(), &cpu);
	bench_check(!sched_setaffinity(0, sizeof(cpu), &cpu), "sched_setaffinity");
	pthread_barrier_init(&ready, NULL, 2);
	pthread_create(&t, NULL, yield, NULL);
	bench_start();
	yield(NULL);
	pthread_join(t, NULL);
	bench_end("switch", n);
	return 0;
}
