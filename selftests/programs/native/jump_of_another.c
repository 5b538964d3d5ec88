// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where to go on after an error is kept in one place for all threads: one of them jumps to where
 * the other one would go on, on that one's stack.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

#include "window.h"

#ifdef MENDED
static __thread jmp_buf again;
#else
static jmp_buf again;
#endif

static __attribute__((noinline)) void fail(void)
{
	WINDOW();
	longjmp(again, 1);
}

static void *work(void *arg)
{
	volatile pthread_t self = pthread_self();

	if (!setjmp(again))
		fail();
	if (!pthread_equal(self, pthread_self()))
		abort();
	return arg;
}

static void *work_later(void *arg)
{
	INTO_WINDOW();
	return work(arg);
}

int main(void)
{
	pthread_t first, second;

	assert(!pthread_create(&first, NULL, work, NULL));
	assert(!pthread_create(&second, NULL, work_later, NULL));
	assert(!pthread_join(first, NULL) && !pthread_join(second, NULL));
	return 0;
}
