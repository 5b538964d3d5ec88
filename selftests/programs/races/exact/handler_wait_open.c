// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looks whether the signal has come, and then waits for it, but it is let in all the time: it
 * may come in between. What is done once a call said that it was interrupted is after the
 * handler.
 *
 * race: came A.r B.w
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_t first;
static int came, data;

static void on_signal(int sig)
{
	(void)sig;
	data = 42;
	came = 1;			/* B */
}

static void *send_one(void *arg)
{
	pthread_kill(first, SIGUSR1);
	return arg;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	pthread_t t;
	int got = 42;

	first = pthread_self();
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&t, NULL, send_one, NULL);
	if (!came && usleep(1000) < 0)	/* A */
		got = data;
	pthread_join(t, NULL);
	return got != 42 || data != 42;
}
