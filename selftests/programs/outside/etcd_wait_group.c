// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests are counted in a group that the shutdown waits for. One that looked whether the
 * server stops counts itself when the shutdown has gone on, and uses what was taken down.
 *
 * source: Tu et al., ASPLOS 2019, figure 9 (etcd, WaitGroup)
 * expect: verdict=memory
 */
#include "outside.h"

#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t left = PTHREAD_COND_INITIALIZER;
static bool is_stopping;
static int running, *server;

static void stop(void)
{
	pthread_mutex_lock(&lock);
	is_stopping = true;
	while (running)
		pthread_cond_wait(&left, &lock);
	pthread_mutex_unlock(&lock);
	free(server);
}

static bool enter(void)
{
	bool is_late;

	pthread_mutex_lock(&lock);
	is_late = is_stopping;
	if (!is_late && !IS_MENDED) {
		pthread_mutex_unlock(&lock);
		pthread_mutex_lock(&lock);
	}
	if (!is_late)
		running++;
	pthread_mutex_unlock(&lock);
	return !is_late;
}

static void *request(void *arg)
{
	(void)arg;
	if (!enter())
		return NULL;
	*(volatile int *)server = 1;
	pthread_mutex_lock(&lock);
	if (!--running)
		pthread_cond_signal(&left);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	server = malloc(8 * sizeof(*server));
	assert(server);
	together(stop, request);
	return 0;
}
