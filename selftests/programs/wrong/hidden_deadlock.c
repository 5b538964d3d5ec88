// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two detached threads take two locks in opposite order. main() gives them a second and
 * returns, whether they are done or not: the exit status says nothing.
 *
 * expect: verdict=deadlock preemptions=1
 *
 * One, between the two locks of either; without it each is done before the other begins.
 */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t in = PTHREAD_MUTEX_INITIALIZER, out = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg)
{
	pthread_mutex_lock(&in);
	pthread_mutex_lock(&out);
	pthread_mutex_unlock(&out);
	pthread_mutex_unlock(&in);
	return arg;
}

static void *writer(void *arg)
{
	pthread_mutex_lock(&out);
	pthread_mutex_lock(&in);
	pthread_mutex_unlock(&in);
	pthread_mutex_unlock(&out);
	return arg;
}

int main(void)
{
	struct timespec patience = { .tv_sec = 1 };
	pthread_t t[2];

	pthread_create(&t[0], NULL, reader, NULL);
	pthread_create(&t[1], NULL, writer, NULL);
	pthread_detach(t[0]);
	pthread_detach(t[1]);
	nanosleep(&patience, NULL);
	return 0;
}
