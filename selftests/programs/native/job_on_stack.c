// SPDX-License-Identifier: GPL-2.0-only
/*
 * A job is on the stack of the thread that submits it. The worker marks it as done, and then
 * goes on to the next one by it; the submitter does not wait if it finds its job done already,
 * and returns.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>

#include "window.h"

struct job {
	struct job *next;
	atomic_int done;
};

static struct job *queue;
static sem_t more, idle;

static void *work(void *unused)
{
	struct job *job, *next;

	(void)unused;
	sem_wait(&more);
	for (job = queue; job; job = next) {
		next = IS_MENDED ? job->next : NULL;
		atomic_store(&job->done, 1);
		WINDOW();
		if (!IS_MENDED)
			next = job->next;
	}
	sem_post(&idle);
	return NULL;
}

static void submit(void)
{
	struct job job = { .next = NULL };

	queue = &job;
	sem_post(&more);
	INTO_WINDOW();
	if (!atomic_load(&job.done))
		sem_wait(&idle);
}

static int use_stack(void)
{
	volatile char other[256];
	size_t i;

	for (i = 0; i < sizeof(other); i++)
		other[i] = 0x41;
	return other[0];
}

int main(void)
{
	pthread_t thread;

	assert(!sem_init(&more, 0, 0) && !sem_init(&idle, 0, 0));
	assert(!pthread_create(&thread, NULL, work, NULL));
	submit();
	assert(use_stack());
	assert(!pthread_join(thread, NULL));
	return 0;
}
