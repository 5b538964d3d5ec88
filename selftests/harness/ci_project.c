// SPDX-License-Identifier: GPL-2.0-only
/*
 * The project on which ci.sh executes the recipes of docs/ci: two threads with two locks, in one
 * order, or with -DWRONG in two. As other projects it knows nothing of chess.
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *arg)
{
	pthread_mutex_t *first = arg ? &b : &a, *second = arg ? &a : &b;

	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	sum++;
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
	return NULL;
}

int main(void)
{
	pthread_t t;

#ifdef WRONG
	pthread_create(&t, NULL, add, &a);
#else
	pthread_create(&t, NULL, add, NULL);
#endif
	add(NULL);
	pthread_join(t, NULL);
	printf("TAP version 13\n1..1\n%s 1 the sum is two\n", sum == 2 ? "ok" : "not ok");
	return sum != 2;
}
