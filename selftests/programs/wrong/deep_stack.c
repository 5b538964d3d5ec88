// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two mutexes, taken in opposite order, one side in a function with a large frame
 * that it does not touch: under it lie the return addresses of calls that are over,
 * and the calls it makes must not be taken for calls made inside those.
 *
 * expect: verdict=deadlock preemptions=1
 * As in abba.c: a task holds just its first mutex at one point only, where it is
 * enabled. The third mutex is not contended.
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *arg)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return arg;
}

static void shallow(void)
{
	pthread_mutex_lock(&c);
	pthread_mutex_unlock(&c);
}

static void deep(void)
{
	char untouched[512];

	/* the compiler must not leave it out */
	__asm__ volatile("" : : "r"(untouched));
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, other, NULL);
	shallow();
	deep();
	pthread_join(t, NULL);
	return 0;
}
