/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the benchmark programs share: the count from the command line, and the
 * closing line "NAME NS" with nanoseconds per operation. Only the loop between
 * bench_start() and bench_end() is measured.
 */
#ifndef CHESS_BENCH_H
#define CHESS_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static struct timespec bench_began;

static inline long bench_count(int argc, char **argv)
{
	long n = argc == 2 ? strtol(argv[1], NULL, 10) : 0;

	if (n < 1) {
		fprintf(stderr, "usage: %s COUNT\n", argv[0]);
		exit(2);
	}
	return n;
}

static inline void bench_start(void)
{
	clock_gettime(CLOCK_MONOTONIC, &bench_began);
}

static inline void bench_end(const char *name, long n)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	printf("%s %.1f\n", name, ((now.tv_sec - bench_began.tv_sec) * 1e9 +
				   (now.tv_nsec - bench_began.tv_nsec)) / n);
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
