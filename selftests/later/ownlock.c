// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plug-in with a lock of its own that makes no system call while it is free, and reads and
 * writes its counter under two locks one after another. Only with traps in the plug-in there
 * is a point between the two.
 */
#include <sched.h>

static int word;
static volatile int counter;

void *work(void *arg);
int end(void);
/* By these names sync functions are known; those of the C library are others. */
static int mtx_lock(int *lock);
static int mtx_unlock(int *lock);

__attribute__((noipa)) static int mtx_lock(int *lock)
{
	while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
		sched_yield();
	return 0;
}

__attribute__((noipa)) static int mtx_unlock(int *lock)
{
	__atomic_store_n(lock, 0, __ATOMIC_RELEASE);
	return 0;
}

void *work(void *arg)
{
	int seen;

	mtx_lock(&word);
	seen = counter;
	mtx_unlock(&word);
	mtx_lock(&word);
#ifdef RIGHT
	seen = counter;
#endif
	counter = seen + 1;
	mtx_unlock(&word);
	return arg;
}

int end(void)
{
	return counter;
}
