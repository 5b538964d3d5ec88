/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the benchmark programs share: the count from the command line, and the
 * closing line "NAME NS" with nanoseconds per operation. Only the loop between
 * bench_start() and bench_end() is measured, by the processor's counter: under
 * control the clocks are the group's. BENCH_TSC_KHZ is how fast it counts.
 */
#ifndef CHESS_BENCH_H
#define CHESS_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

static unsigned long long bench_began;
static double bench_khz;

static inline long bench_count(int argc, char **argv)
{
	long n = argc == 2 ? strtol(argv[1], NULL, 10) : 0;

	if (n < 1) {
		fprintf(stderr, "usage: %s COUNT\n", argv[0]);
		exit(2);
	}
	bench_khz = getenv("BENCH_TSC_KHZ") ? strtod(getenv("BENCH_TSC_KHZ"), NULL) : 0;
	if (bench_khz <= 0) {
		fprintf(stderr, "%s: set BENCH_TSC_KHZ to what selftests/bench/tsc prints\n", argv[0]);
		exit(2);
	}
	return n;
}

static inline void bench_start(void)
{
	bench_began = __rdtsc();
}

static inline void bench_end(const char *name, long n)
{
	printf("%s %.1f\n", name, (__rdtsc() - bench_began) * 1e6 / bench_khz / n);
}

/* for results that cannot be wrong unless the machine is out of something */
static inline void bench_check(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

#endif /* CHESS_BENCH_H */
