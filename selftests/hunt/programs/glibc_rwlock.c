// SPDX-License-Identifier: GPL-2.0-only
/*
 * a reader and a writer, and a timed lock
 * link: -lpthread
 */
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int n;

static void *write_it(void *arg)
{
	pthread_rwlock_wrlock(&l);
	n++;
	pthread_rwlock_unlock(&l);
	return NULL;
}

static void *read_it(void *arg)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec++;
	if (!pthread_rwlock_timedrdlock(&l, &end))
		pthread_rwlock_unlock(&l);
	return NULL;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, write_it, NULL);
	pthread_create(&u, NULL, read_it, NULL);
	write_it(NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return n != 2;
}
