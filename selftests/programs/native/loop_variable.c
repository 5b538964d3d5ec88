// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each thread is given the address of the loop's variable instead of its value. What it
 * finds there is the number of another one.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>

#include "window.h"

static int served[3];

static void *serve(void *arg)
{
	int id;

	WINDOW();
	id = *(int *)arg;
	served[id] = 1;
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	int ids[2], i, j;

	for (i = 0; i < 2; i++) {
		ids[i] = i;
		assert(!pthread_create(&threads[i], NULL, serve, IS_MENDED ? &ids[i] : &i));
	}
	for (j = 0; j < 2; j++)
		assert(!pthread_join(threads[j], NULL));
	assert(served[0] && served[1]);
	return 0;
}
