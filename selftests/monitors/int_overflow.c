// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two tasks count, the second one beyond what an int holds, if one is preempted between its
 * look at the count and its lock. MENDED: it looks again.
 */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count = INT_MAX - 1;

static void *add(void *arg)
{
	int full = __atomic_load_n(&count, __ATOMIC_SEQ_CST) == INT_MAX;

	if (full)
		return arg;
	pthread_mutex_lock(&lock);
#ifdef MENDED
	if (count < INT_MAX)
#endif
		__atomic_store_n(&count, count + 1, __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, add, NULL);
	add(NULL);
	pthread_join(t, NULL);
	puts("done");
	return 0;
}
