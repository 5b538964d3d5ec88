// SPDX-License-Identifier: GPL-2.0-only
/*
 * A lock on futex(2) has the kernel compare the word with what is in it now, and not with
 * what the lock was found to be: given back in between, it is waited for until it is not free.
 *
 * expect: verdict=deadlock
 */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "window.h"

static unsigned int word;
static int count;

static void take(void)
{
	while (__atomic_exchange_n(&word, 1, __ATOMIC_ACQUIRE)) {
		unsigned int seen = 1;

		WINDOW();
		if (!IS_MENDED)
			seen = __atomic_load_n(&word, __ATOMIC_RELAXED);
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
	}
}

static void give(void)
{
	__atomic_store_n(&word, 0, __ATOMIC_RELEASE);
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *work(void *arg)
{
	take();
	count++;
	WINDOW();
	give();
	return arg;
}

int main(void)
{
	pthread_t thread;

	assert(!pthread_create(&thread, NULL, work, NULL));
	work(NULL);
	assert(!pthread_join(thread, NULL));
	assert(count == 2);
	return 0;
}
