// SPDX-License-Identifier: GPL-2.0-only
/*
 * One of three tasks takes another lock. The two with the same lock are in order, so B
 * does not race with itself; two loads never race.
 *
 * race: data A.r B.w
 * race: data A.w B.r
 * race: data A.w B.w
 */
#include <pthread.h>

static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t wrong = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *add_right(void *arg)
{
	pthread_mutex_lock(&right);
	data++;				/* B */
	pthread_mutex_unlock(&right);
	return arg;
}

static void *add_wrong(void *arg)
{
	pthread_mutex_lock(&wrong);
	data++;				/* A */
	pthread_mutex_unlock(&wrong);
	return arg;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, add_wrong, NULL);
	pthread_create(&t[1], NULL, add_right, NULL);
	pthread_create(&t[2], NULL, add_right, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
