// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads make notes by way of a library, work with a lock of their own, and make notes
 * again. "stock take" has them take the last piece of a stock too: one that looks, is left
 * between look and take, and takes, takes what is gone. So one preemption in take() is
 * needed, and none in the library shows the bug. "stock grab" has each of them add to the stock
 * without a lock, which nobody minds: those accesses are points, and the points of their task
 * before and after them are in the library.
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "notes.h"

#define WORK	3

struct person {
	pthread_mutex_t lock;
	struct notes notes;
	int done;
};

static struct person person[2] = {
	{ .lock = PTHREAD_MUTEX_INITIALIZER, .notes.lock = PTHREAD_MUTEX_INITIALIZER },
	{ .lock = PTHREAD_MUTEX_INITIALIZER, .notes.lock = PTHREAD_MUTEX_INITIALIZER },
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 1;
static int takes, grabs;

/* Six points, nobody waits. */
static __attribute__((noinline)) void work(struct person *p)
{
	int i;

	for (i = 0; i < WORK; i++) {
		pthread_mutex_lock(&p->lock);
		p->done++;
		pthread_mutex_unlock(&p->lock);
	}
}

static __attribute__((noinline)) void take(void)
{
	int left;

	pthread_mutex_lock(&lock);
	left = stock;
	pthread_mutex_unlock(&lock);
	if (!left)
		return;
	pthread_mutex_lock(&lock);
	assert(stock > 0);
	stock--;
	pthread_mutex_unlock(&lock);
}

/* Two points, nobody waits. */
static __attribute__((noinline)) void grab(void)
{
	int left = stock;

	__asm__ volatile ("" : "+r" (left));
	stock = left + 1;
}

/* The library is the last to be called, so that the thread's end counts as there. */
static void *live(void *arg)
{
	struct person *p = arg;

	notes_write(&p->notes);
	if (takes)
		take();
	else if (grabs)
		grab();
	else
		work(p);
	notes_write(&p->notes);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t other;

	takes = argc > 1 && !strcmp(argv[1], "take");
	grabs = argc > 1 && !strcmp(argv[1], "grab");
	if (pthread_create(&other, NULL, live, &person[1]))
		return 2;
	live(&person[0]);
	return pthread_join(other, NULL);
}
