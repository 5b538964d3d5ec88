// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: two readers under the read lock, two writers under the write lock.
 */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data[2];

static void *look(void *arg)
{
	int same;

	pthread_rwlock_rdlock(&lock);
	same = data[0] == data[1];
	pthread_rwlock_unlock(&lock);
	return same ? arg : NULL;
}

static void *store(void *arg)
{
	pthread_rwlock_wrlock(&lock);
	data[0]++;
	data[1]++;
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	void *(*const body[])(void *) = { look, store, look, store };
	pthread_t t[4];
	void *result;
	int bad = 0;

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, body[i], &lock);
	for (int i = 0; i < 4; i++) {
		pthread_join(t[i], &result);
		bad |= !result;
	}
	return bad || data[0] != 2;
}
