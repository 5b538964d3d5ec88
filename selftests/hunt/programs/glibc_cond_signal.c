// SPDX-License-Identifier: GPL-2.0-only
/*
 * bug 25847's shape: each of two waiters gets its signal
 * link: -lpthread
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int n;

static void *wait_it(void *arg)
{
	pthread_mutex_lock(&m);
	while (!n)
		pthread_cond_wait(&c, &m);
	n--;
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t, u;
	int i;

	pthread_create(&t, NULL, wait_it, NULL);
	pthread_create(&u, NULL, wait_it, NULL);
	for (i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		n++;
		pthread_cond_signal(&c);
		pthread_mutex_unlock(&m);
	}
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return n;
}
