// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: main blocks the signal while it counts what the handler counts. A second handler
 * blocks the first one's signal, as sa_mask says.
 */
#include <pthread.h>
#include <signal.h>

static pthread_t first;
static int count;
static sigset_t both;

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
	sigset_t old;

	first = pthread_self();
	sigemptyset(&both);
	sigaddset(&both, SIGUSR1);
	sigaddset(&both, SIGUSR2);
	action.sa_mask = both;
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	pthread_create(&t, NULL, send_both, NULL);
	for (int i = 0; i < 3; i++) {
		pthread_sigmask(SIG_BLOCK, &both, &old);
		count++;
		pthread_sigmask(SIG_SETMASK, &old, NULL);
	}
	pthread_join(t, NULL);
	return count != 5;
}
