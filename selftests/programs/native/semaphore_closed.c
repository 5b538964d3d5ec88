// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread looks at a semaphore as it is in memory, which is quicker than a call; another one
 * closes it meanwhile, by which it is unmapped.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

#include "window.h"

#define NAME	"/native-semaphore-closed"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t *semaphore;

static void *look(void *unused)
{
	sem_t *is;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	is = semaphore;
	WINDOW();
	if (is)
		assert(*(volatile char *)is == 1);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t thread;

	sem_unlink(NAME);
	semaphore = sem_open(NAME, O_CREAT | O_EXCL, 0600, 1);
	assert(semaphore != SEM_FAILED);
	sem_unlink(NAME);
	assert(!pthread_create(&thread, NULL, look, NULL));
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	assert(!sem_close(semaphore));
	semaphore = NULL;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	return 0;
}
