// SPDX-License-Identifier: GPL-2.0-only
/* A plug-in that counts without a lock. It makes no call: what could be a point are accesses. */
#include <pthread.h>

static volatile int counter;

#ifdef RIGHT
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

void *work(void *arg);
int end(void);

void *work(void *arg)
{
#ifdef RIGHT
	pthread_mutex_lock(&lock);
#endif
	counter++;
#ifdef RIGHT
	pthread_mutex_unlock(&lock);
#endif
	return arg;
}

int end(void)
{
	return counter;
}
