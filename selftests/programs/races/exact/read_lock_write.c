// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two tasks store under the read lock, a third one loads under it, a fourth one stores
 * under the write lock, which orders it with all of them.
 *
 * race: data A.r B.w
 * race: data B.w B.w
 */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data, seen;

static void *look(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	seen = data;			/* A */
	pthread_rwlock_unlock(&lock);
	return arg;
}

static void *store_as_reader(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	data = 1;			/* B */
	pthread_rwlock_unlock(&lock);
	return arg;
}

static void *store(void *arg)
{
	pthread_rwlock_wrlock(&lock);
	data = 2;			/* C */
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	void *(*const body[])(void *) = { look, store_as_reader, store_as_reader, store };
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, body[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
