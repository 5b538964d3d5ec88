// SPDX-License-Identifier: GPL-2.0-only
/*
 * The creator of a thread stores what it gets for it, and the new thread looks its own state
 * up there: it may run before anything was stored.
 *
 * source: Lu et al., ASPLOS 2008, section 3 (Mozilla nsthread.cpp)
 * expect: verdict=crash
 */
#include "outside.h"

struct worker {
	int state;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct worker *worker;
static int seen;

static void *work(void *arg)
{
	(void)arg;
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	seen = worker->state;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

static struct worker *start(pthread_t *thread)
{
	static struct worker made = { .state = 3 };

	assert(!pthread_create(thread, NULL, work, NULL));
	return &made;
}

int main(void)
{
	pthread_t thread;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	worker = start(&thread);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	assert(seen == 3);
	return 0;
}
