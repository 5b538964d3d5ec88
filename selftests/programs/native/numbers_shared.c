// SPDX-License-Identifier: GPL-2.0-only
/*
 * A simulation has to give the same result each time, so it sets the seed of lrand48(). Another
 * thread takes numbers of the same sequence in between.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "window.h"

static long taken;

static void *take(void *unused)
{
	struct drand48_data own;

	(void)unused;
	if (IS_MENDED) {
		srand48_r(2, &own);
		lrand48_r(&own, &taken);
	} else {
		taken = lrand48();
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;
	long first;

	srand48(1);
	first = lrand48();
	srand48(1);
	assert(!pthread_create(&thread, NULL, take, NULL));
	WINDOW();
	assert(lrand48() == first);
	assert(!pthread_join(thread, NULL));
	return 0;
}
