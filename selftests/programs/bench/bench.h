/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the benchmark programs share: the count from the command line, and the
 * closing line "NAME NS" with nanoseconds per operation. Only the loop between
 * bench_start() and bench_end() is measured, by the processor's counter: under
 * control the clocks are the group's. So is the counter, where an instruction of the
 * program reads it, and therefore one of code made at run time does, which has no traps.
 * BENCH_TSC_KHZ is how fast it counts.
 */
#ifndef CHESS_BENCH_H
#define CHESS_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static unsigned long long (*bench_now)(void);
static unsigned long long bench_began;
static double bench_khz;

/* rdtsc; shl $32, %rdx; or %rdx, %rax; ret */
static inline void bench_make_now(void)
{
	static const unsigned char code[] = {
		0x0f, 0x31, 0x48, 0xc1, 0xe2, 0x20, 0x48, 0x09, 0xd0, 0xc3,
	};
	void *page = mmap(NULL, sizeof(code), PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED) {
		perror("bench: mmap");
		exit(1);
	}
	memcpy(page, code, sizeof(code));
	bench_now = (unsigned long long (*)(void))page;
}

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
	bench_make_now();
	return n;
}

static inline void bench_start(void)
{
	bench_began = bench_now();
}

static inline void bench_end(const char *name, long n)
{
	printf("%s %.1f\n", name, (bench_now() - bench_began) * 1e6 / bench_khz / n);
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
