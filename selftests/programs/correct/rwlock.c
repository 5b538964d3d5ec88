// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two readers and a writer of a pair of numbers that must stay equal.
 *
 * expect: verdict=ok runs=3,37,247
 */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left, right;

static void *reader(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	assert(left == right);
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_rwlock_wrlock(&lock);
	left++;
	right++;
	pthread_rwlock_unlock(&lock);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
