/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The time that passes, for limits and for how long something took.
 */
#ifndef CHESSCTL_NOW_H
#define CHESSCTL_NOW_H

#include <stdint.h>
#include <time.h>

#define CHESS_SECOND	1000000000ULL	/* nanoseconds */

static inline uint64_t chess_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * CHESS_SECOND + ts.tv_nsec;
}

static inline int64_t chess_now_us(void)
{
	return chess_now_ns() / 1000;
}

static inline int64_t chess_now_ms(void)
{
	return chess_now_ns() / 1000000;
}

static inline double chess_now(void)
{
	return (double)chess_now_ns() / CHESS_SECOND;
}

#endif /* CHESSCTL_NOW_H */
