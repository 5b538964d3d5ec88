// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread reads blocks into a buffer and says how many there are, another one works on each.
 * Nobody tells the first one that the buffer is free again.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "window.h"

static char block[8];
static int in[2];
static sem_t full, empty;

static void *fill(void *unused)
{
	int i;

	(void)unused;
	for (i = 0; i < 2; i++) {
		if (IS_MENDED)
			sem_wait(&empty);
		if (i)
			INTO_WINDOW();
		assert(read(in[0], block, sizeof(block)) == sizeof(block));
		sem_post(&full);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;
	char first;
	int i;

	assert(!pipe(in) && !sem_init(&full, 0, 0) && !sem_init(&empty, 0, 1));
	assert(write(in[1], "aaaaaaaabbbbbbbb", 16) == 16);
	assert(!pthread_create(&thread, NULL, fill, NULL));
	for (i = 0; i < 2; i++) {
		sem_wait(&full);
		first = block[0];
		WINDOW();
		assert(block[sizeof(block) - 1] == first);
		sem_post(&empty);
	}
	assert(!pthread_join(thread, NULL));
	return 0;
}
