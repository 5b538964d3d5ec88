/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For bugs that were published elsewhere, made small: two functions at the same time, and
 * what all of them include. -DMENDED builds a program without its mistake.
 */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "../native/window.h"

/* The first is run by main, the second by a thread of its own. */
static inline void together(void (*mine)(void), void *(*others)(void *))
{
	pthread_t thread;

	assert(!pthread_create(&thread, NULL, others, NULL));
	mine();
	assert(!pthread_join(thread, NULL));
}

#endif
