// SPDX-License-Identifier: GPL-2.0-only
/*
 * C11 threads: a condition wait without any condition.
 *
 * expect: verdict=deadlock preemptions=1
 * Main goes straight to the wait, and the thread's signal finds it there. For the
 * signal to come first main must be preempted before it takes the mutex.
 */
#include <string.h>
#include <threads.h>

static mtx_t lock;
static cnd_t done;
static char result[1 << 20];

static int work(void *arg)
{
	(void)arg;
	memset(result, 0xff, sizeof(result));
	mtx_lock(&lock);
	cnd_signal(&done);
	mtx_unlock(&lock);
	return 0;
}

int main(void)
{
	thrd_t t;

	mtx_init(&lock, mtx_plain);
	cnd_init(&done);
	thrd_create(&t, work, NULL);
	mtx_lock(&lock);
	cnd_wait(&done, &lock);
	mtx_unlock(&lock);
	thrd_join(t, NULL);
	return 0;
}
