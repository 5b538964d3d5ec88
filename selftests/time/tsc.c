// SPDX-License-Identifier: GPL-2.0-only
/*
 * The time stamp counter, read in both ways by two threads, before and after a sleep and in
 * a loop until it has moved: what each reads is printed. Exit status 1: it stood still, went
 * backwards, or did not pass with the clock.
 *
 * Usage: tsc SECONDS: the sleep
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>

#define READINGS	20

static uint64_t seen[2][READINGS];
static int wrong;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static void *reader(void *arg)
{
	uint64_t *mine = arg;
	unsigned int who;
	int i;

	for (i = 0; i < READINGS; i++) {
		mine[i] = i % 2 ? __rdtscp(&who) : __rdtsc();
		if (i && mine[i] <= mine[i - 1])
			wrong = 1;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct timespec sleep = { .tv_sec = argc > 1 ? atoi(argv[1]) : 1 };
	uint64_t from, slept, spun, clock;
	unsigned int who;
	pthread_t t;
	int i;

	from = __rdtscp(&who);
	clock = now_ns();
	nanosleep(&sleep, NULL);
	slept = __rdtsc() - from;
	clock = now_ns() - clock;
	/* No processor that people use is outside 0.3 to 10 GHz. */
	if (slept < clock / 10 * 3 || slept / 10 > clock)
		wrong = 1;
	from = __rdtsc();
	while ((spun = __rdtsc() - from) < 1000000)
		;
	pthread_create(&t, NULL, reader, seen[0]);
	reader(seen[1]);
	pthread_join(t, NULL);
	printf("%u %lu %lu %lu", who, (unsigned long)from, (unsigned long)slept,
	       (unsigned long)spun);
	for (i = 0; i < READINGS; i++)
		printf(" %lu %lu", (unsigned long)seen[0][i], (unsigned long)seen[1][i]);
	puts("");
	return wrong;
}
