// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast the processor's counter counts, in kHz: bench.sh puts it into
 * BENCH_TSC_KHZ for the programs it measures.
 */
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

int main(void)
{
	unsigned long long ticks = __rdtsc();
	double start = now(), ms;

	do {
		ms = now() - start;
	} while (ms < 200);
	printf("%.0f\n", (__rdtsc() - ticks) / ms);
	return 0;
}
