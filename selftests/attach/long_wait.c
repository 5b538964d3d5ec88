// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process one of whose threads has a mutex and sleeps, while another one waits for it:
 * no deadlock, only long. Ends when it is killed.
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

pthread_mutex_t slow = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_it(void *arg)
{
	pthread_mutex_lock(&slow);
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_mutex_lock(&slow);
	if (pthread_create(&thread, NULL, wait_for_it, NULL))
		return 1;
	puts("ready");
	fflush(stdout);
	for (;;)
		pause();
}
