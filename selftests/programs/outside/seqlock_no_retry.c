// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reader of a sequence lock looks that no writer is active before it reads, but not that
 * none has come meanwhile.
 *
 * source: Boehm, MSPC 2012 (seqlocks), section 2
 * expect: verdict=assert
 */
#include <stdatomic.h>

#include "outside.h"

static atomic_uint sequence;
static atomic_int seconds, nanoseconds;

static void get_time(void)
{
	unsigned int before;
	int s, ns;

	do {
		while ((before = atomic_load(&sequence)) & 1)
			sched_yield();
		s = atomic_load(&seconds);
		ns = atomic_load(&nanoseconds);
	} while (IS_MENDED && atomic_load(&sequence) != before);
	assert(s == ns);
}

static void *set_time(void *arg)
{
	(void)arg;
	atomic_fetch_add(&sequence, 1);
	atomic_store(&seconds, 1);
	atomic_store(&nanoseconds, 1);
	atomic_fetch_add(&sequence, 1);
	return NULL;
}

int main(void)
{
	together(get_time, set_time);
	return 0;
}
