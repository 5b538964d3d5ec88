// SPDX-License-Identifier: GPL-2.0-only
/*
 * One bug for each idiom of Maple (OOPSLA'12, figure 2): it shows where the two threads depend
 * on each other in that way, and by default they do not. "idioms N" has the bug of idiom N.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static volatile int x = 1, y = 1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

/* 1: the read comes before the write that it needs. */
static void *writes(void *arg)
{
	x = 2;
	return arg;
}

static void *needs_it(void *arg)
{
	assert(x == 2);
	return arg;
}

/* 2: a write comes between a write and the read of it. */
static void *writes_and_reads(void *arg)
{
	x = 2;
	assert(x == 2);
	return arg;
}

static void *writes_too(void *arg)
{
	x = 3;
	return arg;
}

/* 3: both writes of the other come between two reads: one alone could be meant. */
static void *reads_twice(void *arg)
{
	int first = x;

	assert(first != 1 || x != 3);
	return arg;
}

static void *writes_twice(void *arg)
{
	x = 2;
	x = 3;
	return arg;
}

/* 4: between the updates of two variables that belong together the other sees both. */
static void *updates_both(void *arg)
{
	x = 2;
	y = 2;
	return arg;
}

static void *sees_both(void *arg)
{
	int a = x, b = y;

	assert(a == b || a == 1);
	return arg;
}

/* 5: two locks in either order. */
static void *locks(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&n);
	pthread_mutex_unlock(&n);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *locks_the_other_way(void *arg)
{
	pthread_mutex_lock(&n);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&n);
	return arg;
}

int main(int argc, char **argv)
{
	static void *(*const body[][2])(void *arg) = {
		{ writes, needs_it }, { writes_and_reads, writes_too },
		{ reads_twice, writes_twice }, { updates_both, sees_both },
		{ locks, locks_the_other_way },
	};
	int which = argc > 1 ? atoi(argv[1]) - 1 : -1, i;
	pthread_t thread[2];

	if (which < 0 || which > 4)
		return 2;
	for (i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, body[which][i], NULL))
			return 2;
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
