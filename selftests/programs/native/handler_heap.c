// SPDX-License-Identifier: GPL-2.0-only
/*
 * A handler allocates memory. If the signal comes while main() is in malloc() or free(), the lock
 * of the heap is taken, and the handler waits for it for ever. Alone that takes many signals; an
 * alarm ends it then.
 *
 * expect: verdict=memory
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "window.h"

#ifdef SLOW
#define ROUNDS 100000
#else
#define ROUNDS 2
#endif

/* The C library keeps smaller pieces in a cache without a lock. */
#define BYTES 2000

static pthread_t main_thread;

static void use_heap(void)
{
	char *volatile piece = malloc(BYTES);

	free(piece);
}

static void take(int signal)
{
	(void)signal;
	use_heap();
}

static void *send(void *unused)
{
	int i;

	for (i = 0; i < ROUNDS / 2; i++)
		pthread_kill(main_thread, SIGUSR1);
	return unused;
}

int main(void)
{
	struct sigaction action = { .sa_handler = take };
	pthread_t thread;
	sigset_t set;
	int i;

#ifdef SLOW
	alarm(3);
#endif
	main_thread = pthread_self();
	assert(!sigaction(SIGUSR1, &action, NULL));
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	assert(!pthread_create(&thread, NULL, send, NULL));
	for (i = 0; i < ROUNDS; i++) {
		if (IS_MENDED)
			assert(!pthread_sigmask(SIG_BLOCK, &set, NULL));
		use_heap();
		if (IS_MENDED)
			assert(!pthread_sigmask(SIG_UNBLOCK, &set, NULL));
	}
	if (IS_MENDED)
		assert(!pthread_sigmask(SIG_BLOCK, &set, NULL));
	assert(!pthread_join(thread, NULL));
	return 0;
}
