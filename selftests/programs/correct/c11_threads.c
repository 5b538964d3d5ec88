// SPDX-License-Identifier: GPL-2.0-only
/*
 * Thread, mutex and condition variable of <threads.h>.
 *
 * expect: verdict=ok runs=1,5,15
 */
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t ready;
static int value;

static int produce(void *arg)
{
	(void)arg;
	mtx_lock(&lock);
	value = 7;
	cnd_signal(&ready);
	mtx_unlock(&lock);
	return 3;
}

int main(void)
{
	thrd_t t;
	int result;

	mtx_init(&lock, mtx_plain);
	cnd_init(&ready);
	thrd_create(&t, produce, NULL);
	mtx_lock(&lock);
	while (!value)
		cnd_wait(&ready, &lock);
	mtx_unlock(&lock);
	thrd_join(t, &result);
	assert(value == 7 && result == 3);
	return 0;
}
