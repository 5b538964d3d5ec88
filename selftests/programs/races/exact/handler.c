// SPDX-License-Identifier: GPL-2.0-only
/*
 * A handler counts what main counts, too: it runs between any two instructions of main. What
 * main did before it said that there is a handler, or let the signal in, comes before; so does
 * what the sender did before it sent.
 *
 * race: count A.r B.w
 * race: count A.w B.r
 * race: count A.w B.w
 */
#include <pthread.h>
#include <signal.h>

static pthread_t first;
static int count, before, open, sent, seen;

static void on_signal(int sig)
{
	(void)sig;
	count++;			/* B */
	seen = before + open + sent;
}

static void *send_one(void *arg)
{
	sent = 1;
	pthread_kill(first, SIGUSR1);
	return arg;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t set;
	pthread_t t;

	first = pthread_self();
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	before = 1;
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&t, NULL, send_one, NULL);
	open = 1;
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	count++;			/* A */
	pthread_join(t, NULL);
	/* It was sent, so it was taken: no race. */
	return !seen;
}
