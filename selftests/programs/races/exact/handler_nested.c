// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two signals have one handler, and each may interrupt the handler of the other.
 *
 * race: count B.r B.w
 * race: count B.w B.w
 */
#include <pthread.h>
#include <signal.h>

static pthread_t first;
static int count;

static void on_signal(int sig)
{
	(void)sig;
	count++;			/* B */
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
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	pthread_create(&t, NULL, send_both, NULL);
	pthread_join(t, NULL);
	/* Both were sent, so both were taken. */
	return !count;
}
