// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread reads records into a head of its own and a body that another thread works on. A
 * body is handed on with a semaphore, but none says that it is free again.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/uio.h>
#include <unistd.h>

#include "window.h"

static char body[8];
static int in[2];
static sem_t full, empty;

static void *fill(void *unused)
{
	char head;
	struct iovec parts[] = { { &head, sizeof(head) }, { body, sizeof(body) } };
	int i;

	(void)unused;
	for (i = 0; i < 2; i++) {
		if (IS_MENDED)
			sem_wait(&empty);
		if (i)
			INTO_WINDOW();
		assert(readv(in[0], parts, 2) == 1 + sizeof(body));
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
	assert(write(in[1], "1aaaaaaaa2bbbbbbbb", 18) == 18);
	assert(!pthread_create(&thread, NULL, fill, NULL));
	for (i = 0; i < 2; i++) {
		sem_wait(&full);
		first = body[0];
		WINDOW();
		assert(body[sizeof(body) - 1] == first);
		sem_post(&empty);
	}
	assert(!pthread_join(thread, NULL));
	return 0;
}
