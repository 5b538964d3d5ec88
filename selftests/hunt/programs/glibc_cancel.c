// SPDX-License-Identifier: GPL-2.0-only
/*
 * a thread that waits for a condition is cancelled and gives the mutex back
 * link: -lpthread
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void back(void *arg) { pthread_mutex_unlock(&m); }

static void *task(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_cleanup_push(back, NULL);
	for (;;)
		pthread_cond_wait(&c, &m);
	pthread_cleanup_pop(1);
	return NULL;
}

int main(void)
{
	pthread_t t;
	void *how;

	pthread_create(&t, NULL, task, NULL);
	pthread_cancel(t);
	pthread_join(t, &how);
	pthread_mutex_lock(&m);
	return how != PTHREAD_CANCELED;
}
