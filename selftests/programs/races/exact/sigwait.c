// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: data is handed over with a signal that the other task waits for.
 */
#include <pthread.h>
#include <signal.h>

static pthread_t first;
static int data;

static void *hand_over(void *arg)
{
	data = 42;
	pthread_kill(first, SIGUSR1);
	return arg;
}

int main(void)
{
	sigset_t set;
	pthread_t t;
	int sig, got;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	first = pthread_self();
	pthread_create(&t, NULL, hand_over, NULL);
	sigwait(&set, &sig);
	got = data++;
	pthread_join(t, NULL);
	return got != 42;
}
