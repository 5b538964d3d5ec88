// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two signals with one handler, each of which may interrupt that of the other. Mended: each is
 * blocked while the other is handled.
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

static void *send_both(void *arg)
{
	pthread_kill(first, SIGUSR1);
	pthread_kill(first, SIGUSR2);
	return arg;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	pthread_t t;

	first = pthread_self();
	sigemptyset(&action.sa_mask);
#ifdef MENDED
	sigaddset(&action.sa_mask, SIGUSR1);
	sigaddset(&action.sa_mask, SIGUSR2);
#endif
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	pthread_create(&t, NULL, send_both, NULL);
	pthread_join(t, NULL);
	assert(count == 2);
	return 0;
}
