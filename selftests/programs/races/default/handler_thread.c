// SPDX-License-Identifier: GPL-2.0-only
/*
 * A handler counts what main counts: main loses its count, or the handler's, when the signal
 * comes between its load and its store. Mended: the signal is blocked there.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static pthread_t first;
static int count;

static void on_signal(int sig)
{
	(void)sig;
	count++;
}

static void *send_one(void *arg)
{
	pthread_kill(first, SIGUSR1);
	return arg;
}

static void work(void)
{
#ifdef MENDED
	sigset_t set, old;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, &old);
	count++;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
#else
	count++;
#endif
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	pthread_t t;

	first = pthread_self();
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&t, NULL, send_one, NULL);
	work();
	pthread_join(t, NULL);
	assert(count == 2);
	return 0;
}
