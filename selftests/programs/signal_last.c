// SPDX-License-Identifier: GPL-2.0-only
/*
 * Workers count themselves down under a lock, and the last one tells the main thread with a signal,
 * for which that waits in sigsuspend(2), as lbzip2's does. No other thread takes the signal. Suite
 * predicted searches it.
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#define WORKERS	3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left = WORKERS;
static volatile sig_atomic_t over;

static void on_over(int sig)
{
	(void)sig;
	over = 1;
}

static void *work(void *arg)
{
	int last;

	pthread_mutex_lock(&lock);
	last = !--left;
	pthread_mutex_unlock(&lock);
	if (last)
		assert(!kill(getpid(), SIGUSR1));
	return arg;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_over };
	pthread_t worker[WORKERS];
	sigset_t mine, old;
	int i;

	assert(!sigaction(SIGUSR1, &action, NULL));
	sigemptyset(&mine);
	sigaddset(&mine, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &mine, &old);
	for (i = 0; i < WORKERS; i++)
		assert(!pthread_create(&worker[i], NULL, work, NULL));
	while (!over)
		sigsuspend(&old);
	for (i = 0; i < WORKERS; i++)
		assert(!pthread_join(worker[i], NULL));
	assert(!left);
	return 0;
}
