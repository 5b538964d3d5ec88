// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two values with a lock each; the reader has none for the second one. Its first lock
 * does not help: the second value is stored after the writer's unlock of that.
 *
 * race: second B.w D.r
 */
#include <pthread.h>

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *write_both(void *arg)
{
	pthread_mutex_lock(&first_lock);
	first = 1;			/* A */
	pthread_mutex_unlock(&first_lock);
	pthread_mutex_lock(&second_lock);
	second = 2;			/* B */
	pthread_mutex_unlock(&second_lock);
	return arg;
}

int main(void)
{
	int seen_first, seen_second;
	pthread_t t;

	pthread_create(&t, NULL, write_both, NULL);
	pthread_mutex_lock(&first_lock);
	seen_first = first;		/* C */
	pthread_mutex_unlock(&first_lock);
	seen_second = second;		/* D */
	pthread_join(t, NULL);
	return seen_second && seen_first > seen_second;
}
