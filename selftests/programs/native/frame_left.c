// SPDX-License-Identifier: GPL-2.0-only
/*
 * A request lives in the frame of the function that makes it. A task that waits only for a while
 * goes away and leaves it in the queue; the worker writes its answer to where another
 * function has its variables by then.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#include "window.h"

struct request {
	int question, answer[8], is_done;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct request *queue;
static sem_t asked;

static void answer(struct request *request)
{
	int i;

	for (i = 0; i < 8; i++)
		request->answer[i] = 1;
	request->is_done = 1;
}

static void *work(void *arg)
{
	struct request *mine;

	(void)arg;
	sem_wait(&asked);
	pthread_mutex_lock(&lock);
	mine = queue;
	if (mine && IS_MENDED)
		answer(mine);
	pthread_mutex_unlock(&lock);
	WINDOW();
	if (mine && !IS_MENDED)
		answer(mine);
	return NULL;
}

static int ask(int question)
{
	struct request request = { .question = question };
	int got = -1;

	pthread_mutex_lock(&lock);
	queue = &request;
	pthread_mutex_unlock(&lock);
	sem_post(&asked);
	INTO_WINDOW();
	/* It is not worth more of a wait. */
	pthread_mutex_lock(&lock);
	if (request.is_done)
		got = request.answer[7];
	queue = NULL;
	pthread_mutex_unlock(&lock);
	return got;
}

static int sum(pthread_t thread)
{
	int zeros[16] = { 0 }, total = 0, i;

	assert(!pthread_join(thread, NULL));
	for (i = 0; i < 16; i++)
		total += zeros[i];
	return total;
}

int main(void)
{
	pthread_t thread;
	int got;

	assert(!sem_init(&asked, 0, 0));
	assert(!pthread_create(&thread, NULL, work, NULL));
	got = ask(1);
	assert(got == 1 || got == -1);
	assert(sum(thread) == 0);
	return 0;
}
