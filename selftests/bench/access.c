// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cost of an access that is recorded: one instruction reads a word over and over. A second
 * thread sleeps in a read all the while, as in getppid.c.
 */
#include <pthread.h>
#include <unistd.h>

#include "../programs/bench/bench.h"

static int quiet[2];
static volatile long word;

static void *sleeper(void *arg)
{
	char c;

	bench_check(read(quiet[0], &c, 1) == 1, "read");
	return arg;
}

/* The code that bench.sh has traps in. */
__attribute__((noinline)) static void read_word(long n)
{
	while (n--)
		(void)word;
}

int main(int argc, char **argv)
{
	long n = bench_count(argc, argv);
	pthread_t t;

	bench_check(!pipe(quiet), "pipe");
	pthread_create(&t, NULL, sleeper, NULL);
	bench_start();
	read_word(n);
	bench_end("access", n);
	bench_check(write(quiet[1], "x", 1) == 1, "write");
	pthread_join(t, NULL);
	return 0;
}
