// SPDX-License-Identifier: GPL-2.0-only
/*
 * A library has its state made new in each child, by pthread_atfork(), but says that it is ready
 * before it has asked for that.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

static sem_t ready;
static pid_t owner;

static void renew(void)
{
	owner = getpid();
}

static void *start(void *unused)
{
	owner = getpid();
	if (IS_MENDED)
		assert(!pthread_atfork(NULL, NULL, renew));
	assert(!sem_post(&ready));
	WINDOW();
	if (!IS_MENDED)
		assert(!pthread_atfork(NULL, NULL, renew));
	return unused;
}

int main(void)
{
	pthread_t thread;
	int status;

	assert(!sem_init(&ready, 0, 0));
	assert(!pthread_create(&thread, NULL, start, NULL));
	assert(!sem_wait(&ready));
	INTO_WINDOW();
	if (!fork())
		_exit(owner == getpid() ? 0 : 1);
	assert(wait(&status) > 0);
	assert(!pthread_join(thread, NULL));
	return status ? 1 : 0;
}
