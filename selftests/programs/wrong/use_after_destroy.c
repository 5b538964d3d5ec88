// SPDX-License-Identifier: GPL-2.0-only
/*
 * The thread says that the request is done and then still counts it, in a mutex
 * inside the request; its owner has freed it by then.
 *
 * expect: verdict=crash preemptions=1
 * Main sleeps until the request is done, so it runs after the post. Unless the
 * thread is preempted before the lock it goes on to its end first. The request is
 * large, so free() unmaps it and the access always faults.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct request {
	sem_t done;
	pthread_mutex_t lock;
	int served;
	char data[1 << 20];
};

static void *serve(void *arg)
{
	struct request *r = arg;

	r->data[0] = 'x';
	sem_post(&r->done);
	pthread_mutex_lock(&r->lock);
	r->served++;
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

int main(void)
{
	struct request *r = malloc(sizeof(*r));
	pthread_t t;

	assert(r);
	sem_init(&r->done, 0, 0);
	pthread_mutex_init(&r->lock, NULL);
	pthread_create(&t, NULL, serve, r);
	sem_wait(&r->done);
	pthread_mutex_destroy(&r->lock);
	free(r);
	pthread_join(t, NULL);
	return 0;
}
