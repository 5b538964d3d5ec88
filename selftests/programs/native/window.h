/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For programs that fail by themselves, but seldom. WINDOW() stands where something else
 * has to happen for the program to fail. Built with -DSLOW the program waits there and
 * fails nearly always, which shows that it is wrong without any tool; otherwise it is
 * nothing, and what is searched is the program as anybody would write it. -DMENDED
 * builds the same program without its mistake. INTO_WINDOW() is where the other one waits
 * until that of WINDOW() is open. WINDOW_TIMES in the environment makes both last longer: a busy
 * machine may not get round to the other one in time.
 */
#ifndef NATIVE_WINDOW_H
#define NATIVE_WINDOW_H

#ifdef SLOW
#include <errno.h>
#include <stdlib.h>
#include <time.h>

static long window_times_ = 1;

__attribute__((constructor)) static void read_window_times_(void)
{
	const char *times = getenv("WINDOW_TIMES");

	if (times)
		window_times_ = atol(times);
}

/* Handlers may wait here, too; errno is left alone, and a signal does not end the wait. */
#define WAIT_NS_(ns) do {						\
	long ns_ = (ns) * window_times_;				\
	struct timespec left_ = { ns_ / 1000000000, ns_ % 1000000000 };	\
	int errno_ = errno;						\
									\
	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left_, &left_))	\
		;							\
	errno = errno_;							\
} while (0)
#define WINDOW()	WAIT_NS_(50000000L)
#define INTO_WINDOW()	WAIT_NS_(20000000L)
#else
#define WINDOW()	do { } while (0)
#define INTO_WINDOW()	do { } while (0)
#endif

#ifdef MENDED
#define IS_MENDED 1
#else
#define IS_MENDED 0
#endif

#endif
