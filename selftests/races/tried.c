// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that main tries to join without a wait. Whether the thread has ended by then matters,
 * unlike for a join that waits: "ended" aborts where it has, "runs" where it has not.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *thread(void *arg)
{
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;
	int busy;

	pthread_create(&t, NULL, thread, NULL);
	busy = pthread_tryjoin_np(t, NULL);
	if (argc > 1 && !strcmp(argv[1], busy ? "runs" : "ended"))
		abort();
	if (busy)
		pthread_join(t, NULL);
	return 0;
}
